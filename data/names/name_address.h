/*
 * name_address.h - the title in the address of an article or a link to it, and the host of a wiki.
 *
 *     https://en.m.wikipedia.org/wiki/Ada_Lovelace#Life             Ada Lovelace
 *     [[Ada Lovelace|Ada]]                                          Ada Lovelace
 *     Ada Lovelace#Life                                             Ada Lovelace
 *
 * The title is what follows the last "/wiki/", up to a "#" or a "?", decoded and with spaces for
 * underscores. So any site will do. A comma before it makes the text a list of addresses.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define NAME_ADDRESS_TITLE 1536 /* bytes: six times MediaWiki's longest title */
#define NAME_ADDRESS_WIKI  64

struct name_address {
    bool is_section; /* "Laos#History": outside a wiki, # may be part of another name */
    size_t title_length;
    char title[NAME_ADDRESS_TITLE]; /* without a NUL at its end */
};

/* Read an address or a link. False if the text is neither, or if the title is too long. */
bool name_address_read(const char *text, size_t length, struct name_address *address);

/* The host of the wiki with this name in its dumps, en.wikipedia.org of enwiki. False, and host is
 * "", if the wiki is of no site in the tables. */
bool name_address_host(const char *wiki, char host[NAME_ADDRESS_WIKI]);
