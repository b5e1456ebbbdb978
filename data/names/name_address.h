/*
 * name_address.h - reads the address of an article, as somebody copies it from a browser.
 *
 *     https://en.m.wikipedia.org/wiki/Ada_Lovelace#Life             a title
 *     https://en.wikipedia.org/w/index.php?title=C%2B%2B&oldid=1    a title
 *     https://en.wikipedia.org/?curid=974                           a page
 *
 * Any site with MediaWiki's paths will do. Of the sites in its tables (name_address.c) it knows the
 * wiki's name, and https:// may be missing. If an address has both a page and a title, the page
 * counts; of two titles the one in the path, not the one after the question mark, as in MediaWiki.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_ADDRESS_TITLE 1536 /* bytes: six times MediaWiki's longest title */
#define NAME_ADDRESS_WIKI  64

struct name_address {
    char wiki[NAME_ADDRESS_WIKI];   /* the wiki's name in its dumps, "enwiki"; "": not known */
    uint64_t page;                  /* 0: the address has a title */
    size_t title_length;            /* 0: the address has a page */
    char title[NAME_ADDRESS_TITLE]; /* decoded, without a NUL at its end */
};

/* Read an address. False if the text is not the address of an article, or if the title is
 * too long. */
bool name_address_read(const char *text, size_t length, struct name_address *address);

/* The other way: the host of the wiki with this name in its dumps, en.wikipedia.org of enwiki.
 * False, and host is "", if the wiki is of no site in the tables. */
bool name_address_host(const char *wiki, char host[NAME_ADDRESS_WIKI]);
