/*
 * child.c - see child.h.
 */
#include "child.h"
#include "interrupt.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>

void child_words_add(struct child_words *words, char *word)
{
    words->too_many |= words->count == CHILD_WORDS_MAX;
    if (!words->too_many) {
        words->list[words->count++] = word;
    }
}

void child_words_print(struct child_words *words, const char *format, ...)
{
    char *word = words->text + words->used;
    const size_t room = sizeof(words->text) - words->used;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(word, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room) {
        words->too_many = true;
        return;
    }
    words->used += (size_t)length + 1;
    child_words_add(words, word);
}

int child_wait(pid_t child, struct rusage *usage)
{
    int status = 0;
    bool told = false;
    do {
        if (!told && *interrupt_flag() == SIGTERM) {
            kill(child, SIGTERM);
            told = true;
        }
    } while (wait4(child, &status, 0, usage) < 0 && errno == EINTR);
    return status;
}
