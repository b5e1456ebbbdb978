/*
 * early_links.c - see early_links.h.
 */
#include "early_links.h"
#include "wiki_tables.h"

static void *read_links(void *context)
{
    struct early_links *early = context;
    const struct sql_sink sink = link_backlog_sink(&early->backlog);
    if (sql_dump_read(early->path, &wiki_sql_tables[WIKI_PAGELINKS], &sink, &early->how,
                      &early->facts, &early->error)) {
        link_backlog_end(&early->backlog);
    } else {
        link_backlog_stop(&early->backlog);
    }
    return NULL;
}

void early_links_begin(struct early_links *early)
{
    link_backlog_open(&early->backlog);
    early->is_running = pthread_create(&early->thread, NULL, read_links, early) == 0;
    if (!early->is_running) {
        link_backlog_close(&early->backlog);
    }
}

bool early_links_take(struct early_links *early, const struct sql_sink *sink, unsigned threads,
                      struct graph_error *error)
{
    const bool done = link_backlog_give(&early->backlog, sink, threads);
    early_links_end(early);
    if (early->backlog.rule[0] != '\0') {
        return graph_fail(error, early->path, "%s", early->backlog.rule);
    }
    if (!done && !early->backlog.is_unfit) {
        *error = early->error;
    }
    return done;
}

void early_links_end(struct early_links *early)
{
    if (early->is_running) {
        link_backlog_stop(&early->backlog);
        pthread_join(early->thread, NULL);
        link_backlog_close(&early->backlog);
        early->is_running = false;
    }
}
