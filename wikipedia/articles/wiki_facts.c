/*
 * wiki_facts.c - see wiki_facts.h.
 */
#include "wiki_facts.h"
#include <stdio.h>

const char *const wiki_count_names[WIKI_COUNTS] = {
    [WIKI_PAGE_ROWS] = "page rows",
    [WIKI_PAGES_ELSEWHERE] = "pages of other namespaces",
    [WIKI_ARTICLES] = "articles",
    [WIKI_REDIRECTS] = "redirects",
    [WIKI_DISAMBIGUATIONS] = "disambiguation pages dropped",
    [WIKI_DROPPED_TITLES] = "pages dropped by title",
    [WIKI_REDIRECT_ROWS] = "redirect rows",
    [WIKI_REDIRECTS_RESOLVED] = "redirects resolved",
    [WIKI_REDIRECTS_MISSING] = "redirects to no page",
    [WIKI_REDIRECTS_ELSEWHERE] = "redirects to other namespaces or wikis",
    [WIKI_REDIRECTS_CIRCLE] = "redirects in a circle",
    [WIKI_REDIRECTS_DROPPED] = "redirects to dropped pages",
    [WIKI_REDIRECTS_UNLISTED] = "redirects without a target",
    [WIKI_TARGET_ROWS] = "link target rows",
    [WIKI_LINK_ROWS] = "link rows",
    [WIKI_LINKS_OF_REDIRECTS] = "links of redirects",
    [WIKI_LINKS_OF_OTHERS] = "links of other pages",
    [WIKI_LINKS_OF_DROPPED] = "links of dropped pages",
    [WIKI_LINKS_ELSEWHERE] = "links to other namespaces",
    [WIKI_LINKS_RED] = "red links",
    [WIKI_LINKS_BROKEN] = "links to broken redirects",
    [WIKI_LINKS_DROPPED] = "links to dropped pages",
    [WIKI_LINKS_UNKNOWN] = "links with an unknown target",
    [WIKI_LINKS_THROUGH] = "links through redirects",
    [WIKI_LINKS_SELF] = "self-links",
    [WIKI_LINKS_DUPLICATE] = "duplicate links",
    [WIKI_TEMPLATES] = "templates",
    [WIKI_TEMPLATES_LINKING] = "templates with links",
    [WIKI_INCLUSION_ROWS] = "inclusion rows",
    [WIKI_INCLUSIONS_UNKNOWN] = "inclusions with an unknown target",
    [WIKI_LINKS_BEFORE] = "links before templates are left out",
    [WIKI_LINKS_OF_TEMPLATES] = "links of templates dropped",
    [WIKI_ARTICLES_LESS] = "articles that lost a link",
};

bool wiki_facts_make(struct graph_origin *origin, const struct wiki_options *options,
                     const struct wiki_report *report, char broken[WIKI_TABLES][WIKI_BROKEN_SIZE])
{
    size_t length = 0;
    FILE *out = open_memstream(&origin->facts, &length);
    if (out == NULL) {
        return false;
    }
    fprintf(out, "wiki\t%s\ndate\t%s\nnamespaces\t", report->wiki, report->date);
    for (size_t i = 0; i < options->namespace_count; i++) {
        fprintf(out, "%s%u", i > 0 ? "," : "", options->namespaces[i]);
    }
    fputc('\n', out);
    if (options->keep_self_links || options->keep_duplicates) {
        fprintf(out, "kept\t%s%s%s\n", options->keep_self_links ? "self-links" : "",
                options->keep_self_links && options->keep_duplicates ? ", " : "",
                options->keep_duplicates ? "duplicates" : "");
    }
    for (size_t i = 0; i < WIKI_TABLES; i++) {
        if (broken[i][0] != '\0') {
            fprintf(out, "incomplete\t%s: %s\n", wiki_table_names[i], broken[i]);
        }
    }
    for (size_t i = 0; i < wiki_count_end(options); i++) {
        fprintf(out, "%s\t%llu\n", wiki_count_names[i], (unsigned long long)report->counts[i]);
    }
    const bool done = fclose(out) == 0 && origin->facts != NULL;
    origin->facts_length = length + 1;
    return done;
}
