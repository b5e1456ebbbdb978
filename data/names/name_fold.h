/*
 * name_fold.h - folds a name: drops case, accents and underscores, which people forget to type.
 */
#pragma once

#include <stddef.h>

/*
 * Write the folded name, at most size bytes and without a NUL, to out; returns its length. Letters
 * become small (Latin, Greek, Cyrillic), accents go, an underscore is a space, and several spaces
 * are one; a curly apostrophe is straight, a dash a hyphen. "Côte_d'Ivoire" is "cote d'ivoire".
 * Bytes that are not UTF-8 stay. No name becomes longer.
 */
size_t name_fold(char *out, size_t size, const char *name, size_t length);
