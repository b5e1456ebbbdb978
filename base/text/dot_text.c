/*
 * dot_text.c - see dot_text.h.
 */
#include "dot_text.h"
#include "text_form.h"
#include <string.h>

void dot_write(FILE *out, const char *name)
{
    for (size_t left = strlen(name); left > 0;) {
        const char *escape = dot_escape((unsigned char)*name);
        size_t length = 1;
        if (escape != NULL) {
            fputs(escape, out);
        } else {
            length = text_write_character(out, name, left);
        }
        name += length;
        left -= length;
    }
}
