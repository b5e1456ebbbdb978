/*
 * path_dot.c - see path_dot.h.
 */
#include "path_dot.h"
#include "base/text/dot_text.h"

/* Write the id of the node at a place of the list. */
static void write_id(FILE *out, const struct pwgraph *graph, const struct pwgraph_paths *paths,
                     size_t place)
{
    const uint32_t node = paths->nodes[place];
    const bool is_again = place > 0 && node == paths->nodes[0]; /* only the target may be */
    fprintf(out, "n%lu%s", (unsigned long)pwgraph_id(graph, node), is_again ? "e" : "");
}

static void write_levels(FILE *out, const struct pwgraph *graph, const struct pwgraph_paths *paths)
{
    for (uint32_t level = 0; level <= paths->hops; level++) {
        fputs("  { rank=same;\n", out);
        for (size_t place = paths->levels[level]; place < paths->levels[level + 1]; place++) {
            char label[PWGRAPH_TEXT_SIZE];
            fputs("    ", out);
            write_id(out, graph, paths, place);
            fputs(" [label=\"", out);
            dot_write(out, pwgraph_label(graph, paths->nodes[place], label));
            fputs("\"];\n", out);
        }
        fputs("  }\n", out);
    }
}

static void write_links(FILE *out, const struct pwgraph *graph, const struct pwgraph_paths *paths)
{
    for (size_t place = 0; place < paths->node_count; place++) {
        for (size_t link = paths->link_begins[place]; link < paths->link_begins[place + 1];
             link++) {
            fputs("  ", out);
            write_id(out, graph, paths, paths->links[link]);
            fputs(" -> ", out);
            write_id(out, graph, paths, place);
            fputs(";\n", out);
        }
    }
}

void path_dot_write(FILE *out, const struct pwgraph *graph, const struct pwgraph_paths *paths)
{
    fputs("digraph paths {\n  rankdir=LR;\n  node [shape=box];\n", out);
    if (paths->hops != PWGRAPH_NONE) {
        fprintf(out, "  label=\"shortest paths: %s, hops: %u\";\n", paths->count, paths->hops);
        write_levels(out, graph, paths);
        write_links(out, graph, paths);
    }
    fputs("}\n", out);
}
