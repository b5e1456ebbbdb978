/*
 * counter_offers.h - the options of the calling program that help with counters, in its user's
 * spelling. A library knows the facts; the program says which of its options help.
 */
#pragma once

struct counter_offers {
    const char *count;    /* count events: "--counters=pointer-wars" */
    const char *passes;   /* count fewer at a time */
    const char *simulate; /* simulate this machine */
};
