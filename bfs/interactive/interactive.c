/*
 * interactive.c - a conversation on a terminal, or the line protocol of a pipe.
 */
#include "interactive.h"
#include "prompt.h"
#include "protocol.h"
#include "terminal_mode.h"
#include <errno.h>
#include <unistd.h>

bool interactive_run(const struct graph *graph, const struct search_engine *engine,
                     const uint32_t *avoided, size_t avoided_count, bool verify, FILE *out,
                     int *write_error)
{
    struct conversation talk;
    bool done;
    *write_error = 0;
    if (!conversation_open(&talk, graph, engine, avoided, avoided_count, verify)) {
        errno = ENOMEM;
        return false;
    }
    if (out == stdout && isatty(STDOUT_FILENO) && terminal_mode_enter()) {
        done = prompt_run(&talk);
        terminal_mode_leave();
        errno = ENOMEM; /* the only cause of a failure */
    } else {
        done = protocol_run(&talk, out, write_error);
    }
    const int cause = errno;
    conversation_close(&talk);
    errno = cause;
    return done;
}
