/*
 * conversation.h - the state between two lines, and how a request is carried out.
 */
#pragma once

#include "bfs/answers/answer.h"
#include "request.h"

#define NEAR_MAX 5 /* nodes that a misspelt name may mean */

struct conversation {
    const struct pwgraph *graph;
    struct asker asker;
    struct question last; /* the last question that was answered, if has_last */
    bool has_last;
    uint32_t *avoided; /* room for LIST_MAX more than there were at first */
    size_t avoided_count;
    uint64_t random_state; /* if has_seed */
    bool has_seed;
    bool is_quick;            /* questions are answered without counts */
    uint32_t names[LIST_MAX]; /* completions */
};

/* A note on a name in another spelling; "" for none. */
typedef char name_note[PWGRAPH_TEXT_SIZE];

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
    bool is_unknown;   /* of an error: no node has a name; */
    size_t near_count; /* these may be meant */
    uint32_t near[NEAR_MAX];
    struct answer answer; /* its notes are those below */
    struct pwgraph_paths *paths;
    size_t limit; /* of paths to list */
    struct answer_distances distances;
    const uint32_t *nodes;
    size_t node_count, total; /* of the nodes; that match */
    name_note notes[2];
};

/* engine, verify: as of asker_open. avoided: the nodes to avoid from the start. False with error
 * set; then there is nothing to close. */
bool conversation_open(struct conversation *talk, const struct pwgraph *graph, const char *engine,
                       const uint32_t *avoided, size_t avoided_count, bool verify,
                       struct command_error *error);
void conversation_close(struct conversation *talk);

/* Carry out a request. The reply is to be freed, and ends with the next one. */
void conversation_do(struct conversation *talk, const struct request *request, struct reply *reply);

/* Read the names of some nodes, before they are written. False: one is in a bad block of the
 * graph's file, or such a block was met before, and the reply is that error. */
bool conversation_reads(const struct conversation *talk, const uint32_t *nodes, size_t count,
                        struct reply *reply);

void reply_free(struct reply *reply);
