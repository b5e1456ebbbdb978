/*
 * dump_model.h - a made-up wiki: its pages, titles and links, all from a number.
 *
 * Page k is an article, a disambiguation page, a redirect or of another namespace. Titles are words
 * of random letters; the first pages have the hard titles of the real wikis. Link target k is
 * page k, or for k from page_count on a title that no page has. Cost: 5 bytes per page.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dump_kind { DUMP_ARTICLE, DUMP_DISAMBIGUATION, DUMP_REDIRECT, DUMP_TALK, DUMP_CATEGORY };

/* What a redirect names instead of a page. */
enum { DUMP_NO_PAGE = -1, DUMP_OTHER_WIKI = -2, DUMP_SPECIAL = -3, DUMP_UNLISTED = -4 };

struct dump_model {
    uint32_t page_count;    /* these three are to be set */
    double links;           /* mean per article, before the links of templates */
    double templates;       /* mean per article; above 0, talk pages are templates */
    uint32_t target_count;  /* pages, plus titles without a page */
    uint32_t step, inverse; /* between the ids of neighbouring targets, and its inverse */
    uint8_t *kinds;
    int32_t *redirects; /* of redirects: a page, or one of the above */
};

/* False when out of memory. */
bool dump_model_make(struct dump_model *model);
void dump_model_free(struct dump_model *model);

#define DUMP_TITLE_SIZE 260

/* The title of a link target. Returns its length. */
size_t dump_title(uint32_t target, char title[DUMP_TITLE_SIZE]);

/* Its namespace: 0, 1 (10 if it is a template), 14. */
uint32_t dump_namespace(const struct dump_model *model, uint32_t target);

/* The id of a page. Ids ascend. */
uint32_t dump_page_id(uint32_t page);

/* The target that has an id, from 1 to target_count. Ids are mixed. */
static inline uint32_t dump_target_of(const struct dump_model *model, uint32_t id)
{
    return (uint32_t)((uint64_t)(id - 1) * model->inverse % model->target_count);
}

/*
 * The link targets of a page, without duplicates, by ascending id, in *ids, which is allocated and
 * enlarged as needed. An article also has the links of its templates. Returns their number;
 * SIZE_MAX when out of memory.
 */
size_t dump_links(const struct dump_model *model, uint32_t page, uint32_t **ids, size_t *size);

/* The templates that a page includes, as link targets, in the same way. */
size_t dump_inclusions(const struct dump_model *model, uint32_t page, uint32_t **ids, size_t *size);
