/*
 * dump_model.c - everything is a function of a number; only kinds and redirects are
 * kept.
 */
#include "dump_model.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include "data/make/sort_ids.h"
#include <stdlib.h>
#include <string.h>

/* The best known pages, and titles that have broken other readers. */
static const char *const known[] = {
    "United_States",
    "USA",
    "Ada_Lovelace",
    "Banana",
    "104-2,3,(6),(7),11",
    "'90s_on_9",
    "\"A,\"_My_Name_is_Alex_-_Parts_I_&_II",
    "Kagrra,",
    "!",
    "),(",
    "');_DROP_TABLE_page;--",
    "AC\\DC",
    "\\",
    "\\'",
    "--_Dump_completed",
    "NULL",
    "1e5",
    "(1,0,'x',0)",
    "\304\214apek", /* C with a caron; no letter may follow \x8c */
    "\xe6\x97\xa5\xe6\x9c\xac",
    "Not_\xff\xfe_UTF-8",
    "/*_no_comment_*/",
    "`page`_VALUES_(",
    "C\xc3\xb4te_d'Ivoire",
    "", /* the longest, see dump_title */
};

#define SEED 1
#define USA  1

static uint64_t random_of(uint64_t what, uint64_t number)
{
    return splitmix_mix(splitmix_mix(SEED + what * UINT64_C(0x9e3779b97f4a7c15)) + number);
}

/* A number from 0 up to, not including, limit. */
static uint32_t below(uint64_t random, uint32_t limit)
{
    return (uint32_t)((random >> 32) * limit >> 32);
}

static enum dump_kind choose_kind(uint32_t page)
{
    const uint32_t percent = below(random_of(1, page), 100);
    if (page < COUNT_OF(known)) {
        return page == USA ? DUMP_REDIRECT : DUMP_ARTICLE;
    }
    return percent < 36   ? DUMP_ARTICLE
           : percent < 38 ? DUMP_DISAMBIGUATION
           : percent < 70 ? DUMP_REDIRECT
           : percent < 85 ? DUMP_TALK
                          : DUMP_CATEGORY;
}

static int32_t choose_redirect(const struct dump_model *model, uint32_t page)
{
    const uint64_t random = random_of(2, page);
    const uint32_t percent = below(random << 13, 1000);
    const uint32_t other = below(random, model->page_count);
    return page == USA    ? 0
           : percent < 10 ? DUMP_NO_PAGE
           : percent < 15 ? DUMP_OTHER_WIKI
           : percent < 20 ? DUMP_SPECIAL
           : percent < 25 ? DUMP_UNLISTED
           : percent < 30 ? (int32_t)page /* a circle of one */
                          : (int32_t)other;
}

/* The inverse of step modulo count; 0 if the two have a common divisor. */
static uint32_t inverse_of(uint32_t step, uint32_t count)
{
    int64_t a = step % count, b = count;
    int64_t x = 1, y = 0; /* Euclid: x * step is a, modulo count */
    while (b != 0) {
        const int64_t quotient = a / b, rest = a % b, next = x - quotient * y;
        a = b;
        b = rest;
        x = y;
        y = next;
    }
    return a == 1 ? (uint32_t)(x < 0 ? x + count : x) : 0;
}

bool dump_model_make(struct dump_model *model)
{
    const uint32_t count = model->page_count;
    model->target_count = count + count / 2;
    /* Ids walk a circle of target_count places in equal steps, so the mapping has an inverse. */
    model->step = model->target_count / 2 + 1 + SEED;
    while ((model->inverse = inverse_of(model->step, model->target_count)) == 0) {
        model->step++;
    }
    model->kinds = malloc((size_t)count + 1);
    model->redirects = malloc(((size_t)count + 1) * sizeof(*model->redirects));
    if (model->kinds == NULL || model->redirects == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        model->kinds[i] = (uint8_t)choose_kind(i);
        model->redirects[i] = model->kinds[i] == DUMP_REDIRECT ? choose_redirect(model, i) : 0;
    }
    return true;
}

void dump_model_free(struct dump_model *model)
{
    free(model->kinds);
    free(model->redirects);
    *model = (struct dump_model){0};
}

/* Copy a text without its NUL. Returns its length. */
static size_t put(char *to, const char *text)
{
    size_t length = 0;
    for (; text[length] != '\0'; length++) {
        to[length] = text[length];
    }
    return length;
}

size_t dump_title(uint32_t target, char title[DUMP_TITLE_SIZE])
{
    static const char *const parts[] = {"an",  "ber", "co", "da",  "el", "fi",       "gra", "ho",
                                        "is",  "ka",  "lo", "mar", "ne", "or",       "pe",  "ri",
                                        "sto", "tu",  "va", "wy",  "'s", "\xc3\xa9", "(",   ")_"};
    uint64_t random = random_of(3, target);
    size_t used = 0;
    if (target + 1 == COUNT_OF(known)) {
        memset(title, 'L', 250);
        return 250;
    }
    if (target < COUNT_OF(known)) {
        return put(title, known[target]);
    }
    const unsigned count = 2 + (unsigned)(random & 7);
    for (unsigned i = 0; i < count; i++) {
        random = splitmix_mix(random);
        const char *part = parts[below(random, COUNT_OF(parts))];
        used += put(title + used, part);
        if ((random & 3) == 0) {
            title[used++] = '_';
        }
    }
    title[0] = (char)(title[0] >= 'a' && title[0] <= 'z' ? title[0] - 32 : title[0]);
    title[used++] = '_';
    for (uint32_t rest = target + 1; rest > 0; rest /= 26) { /* unique letters */
        title[used++] = (char)('a' + rest % 26);
    }
    pw_assert(used < DUMP_TITLE_SIZE);
    return used;
}

uint32_t dump_namespace(const struct dump_model *model, uint32_t target)
{
    const enum dump_kind kind = target < model->page_count ? model->kinds[target] : DUMP_ARTICLE;
    const uint32_t talk = model->templates > 0 ? 10 : 1;
    return kind == DUMP_TALK ? talk : kind == DUMP_CATEGORY ? 14 : 0;
}

uint32_t dump_page_id(uint32_t page)
{
    return 7 + 2 * page + (uint32_t)(random_of(4, page) & 1);
}

/* A target: often one with a low number, seldom a title without a page or of another namespace. */
static uint32_t choose_target(const struct dump_model *model, uint32_t page, uint64_t random)
{
    const uint32_t percent = below(random << 20, 100);
    const uint32_t pages = model->page_count;
    if (percent < 8) {
        return pages + below(random, model->target_count - pages);
    }
    if (percent < 9) {
        return page;
    }
    uint64_t place = random >> 32;
    place = percent < 60 ? place * place >> 32 : place; /* squared: low numbers are likely */
    uint32_t target = (uint32_t)(place * pages >> 32);
    for (unsigned i = 0; i < 8 && percent > 20 && model->kinds[target] >= DUMP_TALK; i++) {
        target = target + 1 < pages ? target + 1 : 0;
    }
    return target;
}

/* A number of links or templates: often below the mean, seldom three times as many. */
static size_t choose_count(uint64_t random, double mean)
{
    const double share = (double)(random >> 11) / 9007199254740992.0; /* 2^53 */
    return (size_t)(mean * (0.25 + 3 * share * share * share) + 0.5);
}

static uint32_t id_of(const struct dump_model *model, uint32_t target)
{
    return 1 + (uint32_t)((uint64_t)target * model->step % model->target_count);
}

/* Ids in an array that grows. */
struct id_list {
    uint32_t **ids;
    size_t *size, count;
};

/* Make room for more ids. False when out of memory. */
static bool reserve(struct id_list *list, size_t more)
{
    const size_t wanted = list->count + more;
    if (*list->size >= wanted + 1) {
        return true;
    }
    uint32_t *larger = realloc(*list->ids, (wanted + 1) * 2 * sizeof(*larger));
    *list->ids = larger != NULL ? larger : *list->ids;
    *list->size = larger != NULL ? (wanted + 1) * 2 : *list->size;
    return larger != NULL;
}

/* Sort, and drop duplicates. Returns the number of ids. */
static size_t finish(struct id_list *list)
{
    uint32_t *ids = *list->ids;
    size_t used = 0;
    sort_ids(ids, list->count);
    for (size_t i = 0; i < list->count; i++) {
        if (i == 0 || ids[i] != ids[i - 1]) {
            ids[used++] = ids[i];
        }
    }
    return used;
}

/* Add the links of a page's own. False when out of memory. */
static bool add_links(const struct dump_model *model, uint32_t page, struct id_list *list)
{
    const enum dump_kind kind = model->kinds[page];
    uint64_t random = random_of(5, page);
    const double mean = kind <= DUMP_DISAMBIGUATION ? model->links : 4;
    const size_t wanted = kind == DUMP_REDIRECT ? 1 : choose_count(random, mean);
    if (!reserve(list, wanted)) {
        return false;
    }
    for (size_t i = 0; i < wanted; i++) {
        random = splitmix_mix(random + 1);
        uint32_t target = choose_target(model, page, random);
        if (kind == DUMP_REDIRECT && model->redirects[page] >= 0) {
            target = (uint32_t)model->redirects[page];
        }
        (*list->ids)[list->count++] = id_of(model, target);
    }
    return true;
}

/* The number of templates of a page, with repetitions. */
static size_t template_count(const struct dump_model *model, uint32_t page)
{
    return model->templates > 0 && model->kinds[page] <= DUMP_DISAMBIGUATION
               ? choose_count(random_of(6, page), model->templates)
               : 0;
}

/* The i-th template of a page: often one with a low number. From there on, the next one. */
static uint32_t choose_template(const struct dump_model *model, uint32_t page, size_t i)
{
    uint64_t place = random_of(7, (uint64_t)page << 32 | i) >> 32;
    place = place * place >> 32;
    uint32_t target = (uint32_t)(place * model->page_count >> 32), steps = 0;
    while (model->kinds[target] != DUMP_TALK && steps++ < model->page_count) {
        target = target + 1 < model->page_count ? target + 1 : 0;
    }
    return target; /* of a small wiki without a template, any page */
}

size_t dump_links(const struct dump_model *model, uint32_t page, uint32_t **ids, size_t *size)
{
    struct id_list list = {ids, size, 0};
    bool done = add_links(model, page, &list);
    const size_t templates = template_count(model, page);
    for (size_t i = 0; done && i < templates; i++) {
        done = add_links(model, choose_template(model, page, i), &list);
    }
    return done ? finish(&list) : SIZE_MAX;
}

size_t dump_inclusions(const struct dump_model *model, uint32_t page, uint32_t **ids, size_t *size)
{
    struct id_list list = {ids, size, 0};
    const size_t templates = template_count(model, page);
    if (!reserve(&list, templates)) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i < templates; i++) {
        (*ids)[list.count++] = id_of(model, choose_template(model, page, i));
    }
    return finish(&list);
}
