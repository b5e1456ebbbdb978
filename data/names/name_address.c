/*
 * name_address.c - see name_address.h. The steps: scheme, host, path and query are cut apart, the
 * host is looked up among the sites, and the title is decoded. Cost: O(length).
 */
#include "name_address.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "data/graph/graph_names.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct part {
    const char *text;
    size_t length;
};

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

static bool starts(struct part part, const char *with)
{
    return part.length >= strlen(with) && strncasecmp(part.text, with, strlen(with)) == 0;
}

static bool ends(struct part part, const char *with)
{
    const size_t length = strlen(with);
    return part.length >= length &&
           strncasecmp(part.text + part.length - length, with, length) == 0;
}

static struct part skip(struct part part, size_t bytes)
{
    pw_assert(bytes <= part.length);
    return (struct part){part.text + bytes, part.length - bytes};
}

/* The part before the first of some characters; all of it if there is none. */
static struct part before(struct part part, const char *characters)
{
    size_t length = 0;
    while (length < part.length &&
           (part.text[length] == '\0' || strchr(characters, part.text[length]) == NULL)) {
        length++;
    }
    return (struct part){part.text, length};
}

static struct part trim(struct part part)
{
    static const char blanks[] = " \t\r\n";
    while (part.length > 0 && memchr(blanks, part.text[0], sizeof(blanks) - 1) != NULL) {
        part = skip(part, 1);
    }
    while (part.length > 0 &&
           memchr(blanks, part.text[part.length - 1], sizeof(blanks) - 1) != NULL) {
        part.length--;
    }
    return part;
}

/* The host in lower case without a port, and without the labels of mobile pages ("m") and "www". */
static void read_host(char host[NAME_ADDRESS_WIKI], struct part from)
{
    size_t used = 0;
    from = before(from, ":");
    host[0] = '\0';
    while (from.length > 0) {
        const struct part label = before(from, ".");
        const bool is_kept = !(label.length == 1 && starts(label, "m")) &&
                             !(label.length == 3 && starts(label, "www"));
        if (used + label.length + 2 > NAME_ADDRESS_WIKI) {
            host[0] = '\0';
            return;
        }
        for (size_t i = 0; i < label.length && is_kept; i++) {
            const char c = label.text[i];
            host[used++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
        from = skip(from, label.length);
        if (from.length > 0) {
            from = skip(from, 1);
            host[used] = '.';
            used += is_kept && from.length > 0;
        }
        host[used] = '\0';
    }
}

/* The name in its dumps of the wiki with this host; "" if it is not known. */
static void name_wiki(char wiki[NAME_ADDRESS_WIKI], struct part from)
{
    char host[NAME_ADDRESS_WIKI];
    wiki[0] = '\0';
    read_host(host, from);
    for (size_t i = 0; i < COUNT_OF(wikis); i++) {
        if (strcmp(host, wikis[i].host) == 0) {
            snprintf(wiki, NAME_ADDRESS_WIKI, "%s", wikis[i].suffix);
        }
    }
    const char *dot = strchr(host, '.');
    for (size_t i = 0; i < COUNT_OF(sites) && dot != NULL && dot > host; i++) {
        if (strcmp(dot, sites[i].host) == 0) {
            const char *language = host;
            host[dot - host] = '\0';
            for (size_t k = 0; k < COUNT_OF(codes); k++) {
                language = strcmp(host, codes[k].host) == 0 ? codes[k].dump : language;
            }
            snprintf(wiki, NAME_ADDRESS_WIKI, "%s%s", language, sites[i].suffix);
            for (char *c = strchr(wiki, '-'); c != NULL; c = strchr(c, '-')) {
                *c = '_';
            }
            return;
        }
    }
}

/* The value of a key ("title=") of a query; text is NULL if it has none. */
static struct part query_value(struct part query, const char *key)
{
    while (query.length > 0) {
        const struct part item = before(query, "&");
        if (item.length >= strlen(key) && memcmp(item.text, key, strlen(key)) == 0) {
            return skip(item, strlen(key));
        }
        query = skip(query, item.length);
        query = skip(query, query.length > 0);
    }
    return (struct part){NULL, 0};
}

/* What follows a folder in a path; text is NULL if it is not there. */
static struct part path_after(struct part path, const char *folder)
{
    const char *found =
        path.length > 0 ? memmem(path.text, path.length, folder, strlen(folder)) : NULL;
    return found == NULL ? (struct part){NULL, 0}
                         : skip(path, (size_t)(found - path.text) + strlen(folder));
}

/* The number of a page; 0 if the text is no such number. */
static uint64_t page_number(struct part digits)
{
    uint64_t page = 0;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.text[i] < '0' || digits.text[i] > '9' || page > UINT32_MAX) {
            return 0;
        }
        page = page * 10 + (uint64_t)(digits.text[i] - '0');
    }
    return page;
}

/* Decode a title; in a query a plus is a space. False if it is empty or too long. */
static bool decode(struct name_address *address, struct part raw, char plus)
{
    if (raw.length == 0 || raw.length > sizeof(address->title)) {
        return false;
    }
    for (size_t i = 0; i < raw.length; i++) {
        address->title[i] = raw.text[i];
        if (raw.text[i] == '+') {
            address->title[i] = plus;
        }
    }
    address->title_length = graph_names_decode(address->title, address->title, raw.length);
    pw_assert(address->title_length > 0 && address->title_length <= raw.length);
    return true;
}

bool name_address_read(const char *text, size_t length, struct name_address *address)
{
    struct part rest = trim((struct part){text, length});
    const size_t scheme = starts(rest, "https://") ? 8 : starts(rest, "http://") ? 7 : 0;
    rest = before(skip(rest, scheme), "#");
    const struct part host = before(rest, "/?");
    rest = skip(rest, host.length);
    const struct part path = before(rest, "?");
    struct part query = skip(rest, path.length);
    query = skip(query, query.length > 0);
    address->page = 0;
    address->title_length = 0;
    name_wiki(address->wiki, host);
    if (host.length == 0 || (scheme == 0 && address->wiki[0] == '\0')) {
        return false;
    }
    const struct part page = query_value(query, "curid=");
    if (page.text != NULL) {
        address->page = page_number(page);
        return address->page != 0;
    }
    struct part title = path_after(path, "/wiki/");
    if (title.text == NULL) {
        title = path_after(path, "/index.php/");
    }
    if (title.text != NULL) {
        return decode(address, title, '+');
    }
    const bool is_script = path.length == 0 || ends(path, "/") || ends(path, "/index.php");
    return is_script && decode(address, query_value(query, "title="), ' ');
}

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
