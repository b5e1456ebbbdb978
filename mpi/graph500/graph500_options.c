/*
 * graph500_options.c - see graph500_options.h.
 */
#include "graph500_options.h"
#include "bfs/engines/engines.h"
#include "engine_tree.h"
#include <string.h>

bool graph500_engine_find(const char *name, const struct search_engine **found,
                          struct command_error *error)
{
    const struct search_engine *engine = search_engine_find(name);
    if (engine != NULL && engine_tree_serves(engine)) {
        *found = engine;
        return true;
    }
    char names[256] = "";
    for (const struct search_engine *const *each = search_engines(); *each != NULL; each++) {
        if (engine_tree_serves(*each)) {
            snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
                     names[0] != '\0' ? ", " : "", (*each)->name);
        }
    }
    return command_fail(error, "--engine knows no \"%.60s\" for --graph500; there are %s", name,
                        names);
}

#define IS_SIZED .given = offsetof(struct graph500_options, is_sized)

const struct option_row graph500_option_rows[] = {
    {"graph500", 0, NULL,
     "run Graph500's benchmark instead of reading GRAPH: a Kronecker graph, 64 searches, each "
     "validated; the result has the official keys, and with --format=json or csv every search",
     OPTION_FLAG(struct graph500_options, is_asked)},
    {"scale", 0, "S", "its graph has 2^S nodes (default: 16)",
     OPTION_NUMBER(struct graph500_options, scale, 1, GRAPH500_SCALE_MAX), IS_SIZED},
    {"edgefactor", 0, "N", "and N edges per node (default: 16)",
     OPTION_NUMBER(struct graph500_options, edgefactor, 1, 1024), IS_SIZED},
    {"seed", 0, "N", "draws other edges and keys (default: 1)",
     OPTION_NUMBER(struct graph500_options, seed, 0, UINT64_MAX), IS_SIZED},
    {0},
};
