/*
 * answer_text.c - writes answers in words.
 */
#include "answer.h"
#include "base/pw_assert.h"
#include "base/text/text_form.h"
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS        1e6
#define BAR              '#'
#define HISTOGRAM_INDENT 2

/* Write a name; control characters are escaped. */
static void write_label(FILE *out, const struct pwgraph *graph, uint32_t node)
{
    char text[PWGRAPH_TEXT_SIZE];
    text_write(out, pwgraph_label(graph, node, text));
}

/* A path as "Shoe -> Leather -> Cheese"; a further line is indented and starts with its arrow. */
static void write_path(FILE *out, const char *const *path, uint32_t hops, unsigned columns)
{
    static const size_t arrow = sizeof("-> ") - 1, indent = 2;
    size_t column = 0;
    for (uint32_t i = 0; i <= hops; i++) {
        const size_t width = text_width(path[i]);
        if (i > 0 && column + 1 + arrow + width > columns) {
            fprintf(out, "\n%*s-> ", (int)indent, "");
            column = indent + arrow;
        } else if (i > 0) {
            fputs(" -> ", out);
            column += 1 + arrow;
        }
        text_write(out, path[i]);
        column += width;
    }
    fputc('\n', out);
}

static void write_hops(FILE *out, uint32_t hops)
{
    fprintf(out, "%u hop%s", hops, hops == 1 ? "" : "s");
}

/* "3 hops, 0.02 ms" */
static void write_figures(FILE *out, const struct answer *answer)
{
    char text[TEXT_FORM_SIZE];
    const uint64_t ns = answer->counts.nanoseconds;
    const double ms = (double)ns / NS_PER_MS;
    write_hops(out, answer->hops);
    if (ms < 10) {
        fprintf(out, ", %.*f ms", ms < 0.01 ? 3 : 2, ms);
    } else {
        fprintf(out, ", %s", text_duration(text, ns));
    }
}

/* A number of paths, with its separators: 12,345; or that there are more than 128 bits hold. */
static void write_digits(FILE *out, const char *digits)
{
    const bool is_number = *digits >= '0' && *digits <= '9';
    for (size_t left = strlen(digits); left > 0; left--) {
        fputc(*digits++, out);
        if (is_number && left > 1 && left % 3 == 1) {
            fputc(',', out);
        }
    }
}

/* The end of an answer: verified or not, and the date of a wiki's dump. */
static void write_end(FILE *out, const struct pwgraph *graph, const struct answer *answer)
{
    char wiki[PWGRAPH_TEXT_SIZE], date[PWGRAPH_TEXT_SIZE];
    fputs(answer->is_verified ? ", verified" : "", out);
    if (pwgraph_fact(graph, "date", date) && date[0] != '\0') {
        pwgraph_fact(graph, "wiki", wiki);
        fputs(", ", out);
        text_write(out, wiki);
        fputs(" of ", out);
        text_write(out, date);
    }
    fputc('\n', out);
}

/* "Cheese does not lead to Shoe" */
static void write_no_path(FILE *out, const struct pwgraph *graph, const struct answer *answer)
{
    write_label(out, graph, answer->question.source);
    fputs(" does not lead to ", out);
    write_label(out, graph, answer->question.target);
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t node = i == 0 ? answer->question.source : answer->question.target;
        if (answer_avoids(answer, node)) {
            fputs(": ", out);
            write_label(out, graph, node);
            fputs(" is among the nodes to avoid", out);
            break;
        }
    }
    write_end(out, graph, answer);
}

bool answer_begin(FILE *out, const struct pwgraph *graph, const struct answer *answer)
{
    pw_assert(!answer->found);
    write_no_path(out, graph, answer);
    return fflush(out) == 0;
}

/* All of an answer without a path, or what comes after its first line. */
static void write_unfound(FILE *out, const struct pwgraph *graph, const struct answer *answer)
{
    if (!answer->is_begun) {
        write_no_path(out, graph, answer);
    }
    if (answer->hops_back != PWGRAPH_NONE) {
        write_label(out, graph, answer->question.target);
        fputs(" leads to ", out);
        write_label(out, graph, answer->question.source);
        fputs(" in ", out);
        write_hops(out, answer->hops_back);
        fputc('\n', out);
    }
    if (answer->reached > 0) {
        char reached[TEXT_FORM_SIZE], others[TEXT_FORM_SIZE];
        write_label(out, graph, answer->question.source);
        fprintf(out, answer->reached == 1 ? " leads nowhere\n" : " leads to %s of %s other nodes\n",
                text_count(reached, answer->reached - 1),
                text_count(others, pwgraph_node_count(graph) - 1));
    }
}

void answer_write(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                  unsigned columns)
{
    if (!answer->found) {
        write_unfound(out, graph, answer);
        return;
    }
    write_path(out, answer->path, answer->hops, columns);
    write_figures(out, answer);
    if (answer->path_count > 1 && answer->path_digits != NULL) {
        fputs(", one of ", out);
        write_digits(out, answer->path_digits);
        fputs(" shortest paths", out);
    }
    write_end(out, graph, answer);
}

/* All shortest paths ------------------------------------------------------------------------- */

struct path_list {
    FILE *out;
    const struct pwgraph *graph;
    unsigned columns;
    bool is_complete;
};

static bool write_listed(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct path_list *list = context;
    const char **path = answer_names(list->graph, nodes, (size_t)hops + 1);
    if (path != NULL) {
        write_path(list->out, path, hops, list->columns);
    }
    list->is_complete &= path != NULL;
    free(path);
    return list->is_complete;
}

/* "the first 10 of 12,345 shortest paths" */
static void write_amount(FILE *out, const struct pwgraph_paths *paths, uint64_t list_limit,
                         const char *kind)
{
    char listed[TEXT_FORM_SIZE];
    if (paths->count_at_most > list_limit && list_limit > 0) {
        fprintf(out, ", the first %s of ", text_count(listed, list_limit));
    } else {
        fputs(", ", out);
    }
    write_digits(out, paths->count);
    fprintf(out, " %s%s", kind, paths->count_at_most == 1 ? "" : "s");
}

bool answer_write_all(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                      const struct pwgraph_paths *paths, uint64_t list_limit, unsigned columns)
{
    struct path_list list = {out, graph, columns, true};
    if (!answer->found) {
        write_unfound(out, graph, answer);
        return true;
    }
    if (!pwgraph_paths_walk(paths, list_limit, write_listed, &list)) {
        return false;
    }
    write_figures(out, answer);
    write_amount(out, paths, list_limit, "shortest path");
    write_end(out, graph, answer);
    if (answer->longer == NULL) {
        return list.is_complete;
    }
    if (!pwgraph_paths_walk(answer->longer, list_limit, write_listed, &list)) {
        return false;
    }
    write_hops(out, answer->hops + 1);
    write_amount(out, answer->longer, list_limit, "path");
    fputc('\n', out);
    return list.is_complete;
}

/* The histogram -------------------------------------------------------------------------------- */

/* A line per distance: hops, nodes, and a bar that starts at zero. */
static void write_bars(FILE *out, const struct answer_distances *distances, unsigned columns)
{
    char text[TEXT_FORM_SIZE];
    uint64_t most = 1;
    for (size_t hops = 0; hops < distances->level_count; hops++) {
        most = distances->levels[hops] > most ? distances->levels[hops] : most;
    }
    text_count(text, most);
    int width = (int)text_width(text);
    width = width < (int)sizeof("nodes") - 1 ? (int)sizeof("nodes") - 1 : width;
    const size_t before = HISTOGRAM_INDENT + sizeof("hops") + 1 + (size_t)width + 2;
    const size_t room = columns > before ? columns - before : 1;
    fprintf(out, "%*shops  %*s\n", HISTOGRAM_INDENT, "", width, "nodes");
    for (size_t hops = 0; hops < distances->level_count; hops++) {
        const uint64_t nodes = distances->levels[hops];
        fprintf(out, "%*s%4zu  %*s", HISTOGRAM_INDENT, "", hops, width, text_count(text, nodes));
        const size_t length = (size_t)((nodes * room + most / 2) / most);
        for (size_t k = 0; k < length; k++) {
            fprintf(out, "%s%c", k == 0 ? "  " : "", BAR);
        }
        fputc('\n', out);
    }
}

void answer_write_histogram(FILE *out, const struct answer_distances *distances, unsigned columns)
{
    const struct pwgraph *graph = distances->graph;
    char reached[TEXT_FORM_SIZE], all[TEXT_FORM_SIZE];
    write_bars(out, distances, columns);
    write_label(out, graph, distances->source);
    fprintf(out, " reaches %s of %s nodes", text_count(reached, distances->reached),
            text_count(all, pwgraph_node_count(graph)));
    if (distances->around_hops != PWGRAPH_NONE) {
        fputs(", itself in ", out);
        write_hops(out, distances->around_hops);
    }
    fputc('\n', out);
}
