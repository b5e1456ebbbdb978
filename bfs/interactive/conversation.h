/*
 * conversation.h - the state between two lines, and how a request is carried out.
 */
#pragma once

#include "bfs/answers/answer.h"
#include "data/names/name_finder.h"
#include "request.h"

struct conversation {
    const struct graph *graph;
    struct asker asker;
    struct name_finder finder;
    struct pair last; /* the last question that was answered, if has_last */
    bool has_last;
    uint32_t *avoided; /* room for LIST_MAX more than there were at first */
    size_t avoided_count;
    uint64_t random_state; /* if has_seed */
    bool has_seed;
    bool is_quick;            /* questions are answered without counts */
    uint32_t names[LIST_MAX]; /* completions */
};

/* A note on a name in another spelling; "" for none. */
typedef char name_note[NAME_MESSAGE_SIZE];

enum reply_kind {
    REPLY_ERROR,
    REPLY_ANSWER,
    REPLY_PATHS,       /* an answer, and all its shortest paths */
    REPLY_HISTOGRAM,   /* the distances from a node */
    REPLY_COMPLETIONS, /* nodes */
    REPLY_AVOIDED,     /* nodes */
    REPLY_COUNT,       /* is_quick of the conversation */
    REPLY_HELP         /* request_helps */
};

struct reply {
    enum reply_kind kind;
    struct command_error error;
    const char *unknown;  /* of an error: the name that no node has; in the line */
    struct answer answer; /* its notes are those below */
    struct path_graph paths;
    size_t limit; /* of paths to list */
    struct distances distances;
    struct search_result walk; /* for the distances */
    const uint32_t *nodes;
    size_t node_count, total; /* of the nodes; that match */
    name_note notes[2];
};

/* avoided: the nodes to avoid from the start. verify: as of asker_open. False when out
 * of memory; then there is nothing to close. */
bool conversation_open(struct conversation *talk, const struct graph *graph,
                       const struct search_engine *engine, const uint32_t *avoided,
                       size_t avoided_count, bool verify);
void conversation_close(struct conversation *talk);

/* Carry out a request. The reply is to be freed, and ends with the next one. */
void conversation_do(struct conversation *talk, const struct request *request, struct reply *reply);

/* Read the names of some nodes, before they are written. False: one is in a bad block of the
 * graph's file, or such a block was met before, and the reply is that error. */
bool conversation_reads(const struct conversation *talk, const uint32_t *nodes, size_t count,
                        struct reply *reply);

void reply_free(struct reply *reply);
