/*
 * counter_list.c - groups from metrics.h, names from events.h and libpfm4.
 */
#include "counter_list.h"
#include "base/text/text_form.h"
#include "base/text/text_stream.h"
#include "metrics.h"
#include <stdlib.h>

#define INDENT     2
#define LIST_START 17 /* after the name of a group */

/* A list with commas that is written as it grows. */
struct name_list {
    FILE *text;
    size_t count;
};

static void add_name(void *context, const char *name)
{
    struct name_list *list = context;
    fprintf(list->text, "%s%s", list->count++ > 0 ? ", " : "", name);
}

/* A heading, and under it the names that are visited. */
static void write_names(FILE *out, const char *heading,
                        void (*visit_all)(event_visit *visit, void *context), unsigned columns)
{
    char *text = NULL;
    size_t length = 0;
    struct name_list list = {text_stream_open(&text, &length), 0};
    if (list.text == NULL) {
        return;
    }
    visit_all(add_name, &list);
    fclose(list.text);
    if (text != NULL && list.count > 0) {
        fprintf(out, "\n%s\n%*s", heading, INDENT, "");
        text_wrap(out, text, INDENT, INDENT, columns);
    }
    free(text);
}

static void write_group(FILE *out, const char *name, const char *what, unsigned columns)
{
    fprintf(out, "%*s%-*s", INDENT, "", LIST_START - INDENT, name);
    text_wrap(out, what, LIST_START, LIST_START, columns);
}

void counter_list_write(FILE *out, unsigned columns)
{
    fputs("Groups:\n", out);
    write_group(out, "auto", "pointer-wars, where the machine has counters", columns);
    write_group(out, "none", "nothing, and no calls of the kernel either", columns);
    write_group(out, "pointer-wars", "memory and core, as in the challenge's article", columns);
    write_group(out, "memory",
                "loads, L1D hit rate, L2 local hit rate, DTLB hit rate; loads per node", columns);
    write_group(out, "core",
                "branches and the share predicted, instructions, cycles, instructions per cycle; "
                "each per node",
                columns);
    write_names(out, "Events, by the kernel's names:", event_generic_names, columns);
    write_names(out, "Events of this processor (libpfm4):", event_library_names, columns);
    fputc('\n', out);
    text_wrap(out,
              "Any other event is a raw code, such as r01c2. Events with commas share the "
              "processor's counters; those in braces count at the same time: "
              "cycles,{branches,branch-misses}. What this machine can count at all, the doctor "
              "says.",
              0, 0, columns);
}
