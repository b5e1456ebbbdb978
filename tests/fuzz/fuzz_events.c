/*
 * fuzz_events.c - the name of a processor event: found or refused with one line.
 */
#include "counters/events.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

void fuzz_setup(void)
{
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct event event;
    struct command_error error = {0};
    char *text = fuzz_text((struct fuzz_input){bytes, bytes + length});
    if (event_find(text, &event, &error)) {
        fuzz_require(strcmp(event.name, text) == 0);
    } else {
        fuzz_require_line(error.message);
    }
    free(text);
}
