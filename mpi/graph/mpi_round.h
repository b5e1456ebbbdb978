/*
 * mpi_round.h - one round of an exchange: items from every rank to every other.
 *
 * 1. Each rank announces to each other how many items come, and adds a word about itself, such as
 *    "I have more". All learn the largest word, so that all leave the same round.
 * 2. The items follow.
 * An item is one id or several; the items for a rank may be of several groups. Both messages are an
 * all-to-all of MPI. The caller bounds what a rank may send per round, so that the items fit the
 * receiver's buffer; no rank may get more than INT_MAX items.
 */
#pragma once

#include "mpi_graph.h"

struct mpi_round {
    MPI_Comm comm;
    int ranks;
    size_t groups;                          /* of items for a rank, at least 1 */
    size_t capacity;                        /* items that may come */
    MPI_Datatype type;                      /* of an item */
    uint32_t *send_counts, *receive_counts; /* per rank: items of each group, and the word */
    int *send_starts, *receive_starts;      /* per rank: its first item in the buffers */
    int *send_sizes, *receive_sizes;        /* per rank: items */
    size_t *fill;                           /* where the next item of a rank and group goes */
};

/* ids: per item. capacity: the items for which the caller has room; debug builds check it. False
 * when out of memory; not collective. */
bool mpi_round_open(struct mpi_round *round, MPI_Comm comm, size_t groups, int ids,
                    size_t capacity);

/* An all-zero struct may be closed. */
void mpi_round_close(struct mpi_round *round);

/* To make a round: start; count every item; place; put every item; run. Items for one rank lie
 * together, group after group. Instead of place and put, the caller may write them to places of its
 * own and set send_starts. */
void mpi_round_start(struct mpi_round *round);

static inline void mpi_round_count(struct mpi_round *round, int rank, size_t group)
{
    round->send_counts[(size_t)rank * (round->groups + 1) + group]++;
}

void mpi_round_place(struct mpi_round *round);

/* The place of the next item in the buffer to send. */
static inline size_t mpi_round_put(struct mpi_round *round, int rank, size_t group)
{
    return round->fill[(size_t)rank * round->groups + group]++;
}

/* Collective. Send the counted items and receive: rank after rank, from receive_starts on. Returns
 * the largest word of any rank. */
uint32_t mpi_round_run(struct mpi_round *round, const void *send, void *receive, uint32_t word);

/* How many items of a group came from a rank. */
static inline size_t mpi_round_received(const struct mpi_round *round, int rank, size_t group)
{
    return round->receive_counts[(size_t)rank * (round->groups + 1) + group];
}
