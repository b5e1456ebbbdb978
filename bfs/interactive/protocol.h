/*
 * protocol.h - the line protocol of a pipe: a line is a request, its reply a line of JSON.
 *
 *     FROM<tab>TO      the answer: {"from":...,"to":...,"found":true,"hops":3,...}
 *     ?PREFIX          {"completions":[...],"matches":N}
 *     :COMMAND         request.h
 * An empty line has no reply; each other line has one, which is flushed before the next is read.
 * What cannot be done is {"error":...}, with "suggestions" for a name that no node has.
 */
#pragma once

#include "conversation.h"

/*
 * Answer the lines of standard input, until it ends or a signal asks the program to end. False if
 * an answer could not be written, and write_error is the errno; or if the input could not be read
 * or memory was short, and errno says which.
 */
bool protocol_run(struct conversation *talk, FILE *out, int *write_error);
