/*
 * wiki_options.h - which pages of a wiki become a graph, and what the import counts.
 */
#pragma once

#include "data/store/snapshot_ahead.h"
#include "wiki_stages.h"
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is counted. Links read = links dropped + duplicates + edges. */
enum wiki_count {
    WIKI_PAGE_ROWS,
    WIKI_PAGES_ELSEWHERE,
    WIKI_ARTICLES,
    WIKI_REDIRECTS,
    WIKI_DISAMBIGUATIONS,
    WIKI_DROPPED_TITLES,
    WIKI_REDIRECT_ROWS,
    WIKI_REDIRECTS_RESOLVED,
    WIKI_REDIRECTS_MISSING,
    WIKI_REDIRECTS_ELSEWHERE,
    WIKI_REDIRECTS_CIRCLE,
    WIKI_REDIRECTS_DROPPED,
    WIKI_REDIRECTS_UNLISTED,
    WIKI_TARGET_ROWS,
    WIKI_LINK_ROWS,
    WIKI_LINKS_OF_REDIRECTS,
    WIKI_LINKS_OF_OTHERS,
    WIKI_LINKS_OF_DROPPED,
    WIKI_LINKS_ELSEWHERE,
    WIKI_LINKS_RED,
    WIKI_LINKS_BROKEN,
    WIKI_LINKS_DROPPED,
    WIKI_LINKS_UNKNOWN,
    WIKI_LINKS_THROUGH,
    WIKI_LINKS_SELF,
    WIKI_LINKS_DUPLICATE,
    WIKI_TEMPLATES, /* from here on: only if the links of templates are left out */
    WIKI_TEMPLATES_LINKING,
    WIKI_INCLUSION_ROWS,
    WIKI_INCLUSIONS_UNKNOWN,
    WIKI_LINKS_BEFORE,
    WIKI_LINKS_OF_TEMPLATES,
    WIKI_ARTICLES_LESS,
    WIKI_COUNTS
};

/* The name of each count: "page rows", ... */
extern const char *const wiki_count_names[WIKI_COUNTS];

#define WIKI_NAMESPACES_MAX 32
#define WIKI_PATTERNS_MAX   64
#define WIKI_PATTERN_GUARD  "[!\xc3\xa9]" /* every pattern begins with it; see wiki_tables.c */

struct wiki_options {
    uint32_t namespaces[WIKI_NAMESPACES_MAX]; /* 0: articles */
    size_t namespace_count;                   /* at least 1 */
    char *drop_titles[WIKI_PATTERNS_MAX]; /* the guard and a shell pattern; spaces as underscores */
    size_t drop_title_count;
    bool drop_disambiguation;
    bool keep_self_links, keep_duplicates;
    bool without_templates;       /* see wiki_templates.h; namespace 10 must not be wanted */
    bool allow_incomplete;        /* import what there is, and say what is missing */
    unsigned threads;             /* per dump; 0: one per processor */
    uint64_t memory_limit;        /* bytes; 0: what is available */
    struct snapshot_ahead *links; /* the file for the links */
    void (*note)(void *context, const char *text);
    /* How far the reading of a dump has come. */
    void (*progress)(void *context, const char *table, uint64_t bytes_done, uint64_t bytes_total);
    void *context;
    const volatile sig_atomic_t *cancel;
};

/* The number of counts that an import with these options has: the first ones. */
static inline size_t wiki_count_end(const struct wiki_options *options)
{
    return options->without_templates ? WIKI_COUNTS : WIKI_TEMPLATES;
}

struct wiki_report {
    char wiki[64], date[16]; /* simplewiki, 2026-11-01; "" if unknown */
    uint64_t counts[WIKI_COUNTS];
    unsigned passes; /* over the links */
    uint64_t memory; /* bytes at most, by the formula of wiki_import.h */
    struct wiki_stages stages;
};
