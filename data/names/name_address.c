/*
 * name_address.c - see name_address.h. Cost: O(length).
 */
#include "name_address.h"
#include "base/macros.h"
#include "data/graph/graph_names.h"
#include <stdio.h>
#include <string.h>

/* The title in "[[Laos#History|the country]]", or NULL. */
static const char *find_link(const char *text, size_t length, size_t *title_length)
{
    const char *const end = text + length - 2;
    if (length < 5 || memcmp(text, "[[", 2) != 0 || memcmp(end, "]]", 2) != 0) {
        return NULL;
    }
    const char *title = text + 2 + (text[2] == ':'), *p = title;
    if (memchr(p, ']', (size_t)(end - p)) != NULL) { /* "[[Laos]], [[China]]" */
        return NULL;
    }
    while (p < end && *p != '|' && *p != '#') {
        p++;
    }
    *title_length = (size_t)(p - title);
    return title;
}

/* The title after the last "/wiki/" of an address, or NULL. */
static const char *find_path(const char *text, size_t length, size_t *title_length)
{
    static const char folder[] = "/wiki/";
    static const char ends[] = {'#', '?', '\r', '\n'};
    const size_t skipped = sizeof(folder) - 1;
    const char *title = NULL;
    size_t end = 0;
    while (end < length && memchr(ends, text[end], sizeof(ends)) == NULL) {
        end++;
    }
    for (size_t i = 0; i + skipped < end; i++) {
        if (memcmp(text + i, folder, skipped) == 0) {
            title = text + i + skipped;
        }
    }
    if (title != NULL && memchr(text, ',', (size_t)(title - text)) == NULL) {
        *title_length = (size_t)(text + end - title);
        return title;
    }
    return NULL;
}

/* The title in "Laos#History", or NULL. */
static const char *find_section(const char *text, size_t length, size_t *title_length)
{
    const char *mark = memchr(text, '#', length);
    const bool is_section = mark != NULL && mark > text && mark + 1 < text + length &&
                            memchr(mark, ',', (size_t)(text + length - mark)) == NULL &&
                            memmem(text, length, "://", 3) == NULL;
    *title_length = is_section ? (size_t)(mark - text) : 0;
    return is_section ? text : NULL;
}

/* True for what a title that was typed or pasted may end with. */
static bool is_blank_end(char c)
{
    return c == ' ' || c == '\r' || c == '\n';
}

bool name_address_read(const char *text, size_t length, struct name_address *address)
{
    size_t title_length = 0;
    while (length > 0 && is_blank_end(text[length - 1])) {
        length--;
    }
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    const char *title = find_link(text, length, &title_length);
    if (title == NULL) {
        title = find_path(text, length, &title_length);
    }
    address->is_section = title == NULL;
    if (title == NULL) {
        title = find_section(text, length, &title_length);
    }
    while (title_length > 0 && title[title_length - 1] == ' ') {
        title_length--;
    }
    if (title == NULL || title_length == 0 || title_length > sizeof(address->title)) {
        return false;
    }
    address->title_length = graph_names_decode(address->title, title, title_length);
    for (char *c = address->title; c < address->title + address->title_length; c++) {
        if (*c == '_') {
            *c = ' ';
        }
    }
    return true;
}

/* Sites with a wiki per language: en.wikipedia.org is enwiki. */
static const struct site {
    const char *host, *suffix;
} sites[] = {
    {".wikipedia.org", "wiki"},          {".wiktionary.org", "wiktionary"},
    {".wikibooks.org", "wikibooks"},     {".wikinews.org", "wikinews"},
    {".wikiquote.org", "wikiquote"},     {".wikisource.org", "wikisource"},
    {".wikiversity.org", "wikiversity"}, {".wikivoyage.org", "wikivoyage"},
};

/* Sites with one wiki. */
static const struct site wikis[] = {
    {"commons.wikimedia.org", "commonswiki"}, {"species.wikimedia.org", "specieswiki"},
    {"meta.wikimedia.org", "metawiki"},       {"wikidata.org", "wikidatawiki"},
    {"mediawiki.org", "mediawikiwiki"},
};

/* Languages whose dumps have an older code. */
static const struct code {
    const char *host, *dump;
} codes[] = {
    {"be-tarask", "be_x_old"}, {"gsw", "als"},     {"lzh", "zh_classical"},
    {"nan", "zh_min_nan"},     {"nb", "no"},       {"rup", "roa_rup"},
    {"sgs", "bat_smg"},        {"vro", "fiu_vro"}, {"yue", "zh_yue"},
};

bool name_address_host(const char *wiki, char host[NAME_ADDRESS_WIKI])
{
    host[0] = '\0';
    for (size_t i = 0; i < COUNT_OF(wikis); i++) {
        if (strcmp(wiki, wikis[i].suffix) == 0) {
            const bool is_bare = strchr(wikis[i].host, '.') == strrchr(wikis[i].host, '.');
            snprintf(host, NAME_ADDRESS_WIKI, "%s%s", is_bare ? "www." : "", wikis[i].host);
            return true;
        }
    }
    const size_t length = strspn(wiki, "abcdefghijklmnopqrstuvwxyz_");
    for (size_t i = 0; i < COUNT_OF(sites) && wiki[length] == '\0'; i++) {
        const size_t suffix = strlen(sites[i].suffix);
        if (length <= suffix || length >= NAME_ADDRESS_WIKI - strlen(sites[i].host) ||
            strcmp(wiki + length - suffix, sites[i].suffix) != 0) {
            continue;
        }
        char dump[NAME_ADDRESS_WIKI];
        const char *language = dump;
        snprintf(dump, sizeof(dump), "%.*s", (int)(length - suffix), wiki);
        for (size_t k = 0; k < COUNT_OF(codes); k++) {
            language = strcmp(dump, codes[k].dump) == 0 ? codes[k].host : language;
        }
        snprintf(host, NAME_ADDRESS_WIKI, "%s%s", language, sites[i].host);
        for (char *c = strchr(host, '_'); c != NULL; c = strchr(c, '_')) {
            *c = '-';
        }
        return true;
    }
    return false;
}
