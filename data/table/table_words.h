/*
 * table_words.h - the words of a heading that name the two ends of an edge.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How surely two words of a heading, in this order, name the ends of an edge. */
enum table_words {
    WORDS_OTHER,    /* not at all */
    WORDS_EQUAL,    /* one word twice: Person.id, Person.id */
    WORDS_NUMBERED, /* the words differ in one letter or digit: node_1, node_2; personA, personB */
    WORDS_PART,     /* the words differ in a known part: page_from, page_to; or as a.name, b.name */
    WORDS_LETTERS,  /* two known letters: u, v */
    WORDS_WEAK,     /* known words that may mean something else: start, end */
    WORDS_KNOWN,    /* source, target; :START_ID(Person), :END_ID(Person); ~from, ~to */
};

enum table_words table_words_compare(const char *first, size_t first_length, const char *second,
                                     size_t second_length);

/* True if a word is known to name something else than an end: id, time, weight, label. */
bool table_words_is_fact(const char *word, size_t length);

/* True if two words are the heading of a list of nodes: an id, and a label or a name. */
bool table_words_are_of_nodes(const char *first, size_t first_length, const char *second,
                              size_t second_length);

/* How many letters of two numbered words are equal from the start on. */
size_t table_words_stem(const char *first, size_t first_length, const char *second,
                        size_t second_length);
