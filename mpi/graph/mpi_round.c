/*
 * mpi_round.c - see mpi_round.h.
 */
#include "mpi_round.h"
#include <stdlib.h>
#include <string.h>

bool mpi_round_open(struct mpi_round *round, MPI_Comm comm, size_t groups, int ids, size_t capacity)
{
    *round = (struct mpi_round){.comm = comm, .groups = groups, .capacity = capacity};
    MPI_Comm_size(comm, &round->ranks);
    MPI_Type_contiguous(ids, MPI_UINT32_T, &round->type);
    MPI_Type_commit(&round->type);
    const size_t ranks = (size_t)round->ranks;
    round->send_counts = calloc(ranks * (groups + 1), sizeof(*round->send_counts));
    round->receive_counts = calloc(ranks * (groups + 1), sizeof(*round->receive_counts));
    round->send_starts = calloc(4 * ranks, sizeof(*round->send_starts));
    round->fill = calloc(ranks * groups, sizeof(*round->fill));
    if (round->send_counts == NULL || round->receive_counts == NULL || round->send_starts == NULL ||
        round->fill == NULL) {
        mpi_round_close(round);
        return false;
    }
    round->receive_starts = round->send_starts + ranks;
    round->send_sizes = round->send_starts + 2 * ranks;
    round->receive_sizes = round->send_starts + 3 * ranks;
    return true;
}

void mpi_round_close(struct mpi_round *round)
{
    if (round->ranks > 0) {
        MPI_Type_free(&round->type);
    }
    free(round->send_counts);
    free(round->receive_counts);
    free(round->send_starts);
    free(round->fill);
    memset(round, 0, sizeof(*round));
}

void mpi_round_start(struct mpi_round *round)
{
    const size_t counts = (size_t)round->ranks * (round->groups + 1);
    memset(round->send_counts, 0, counts * sizeof(*round->send_counts));
}

void mpi_round_place(struct mpi_round *round)
{
    size_t at = 0;
    for (size_t rank = 0; rank < (size_t)round->ranks; rank++) {
        round->send_starts[rank] = (int)at;
        for (size_t group = 0; group < round->groups; group++) {
            round->fill[rank * round->groups + group] = at;
            at += round->send_counts[rank * (round->groups + 1) + group];
        }
    }
}

/* The items of all groups. */
static int sum_groups(const struct mpi_round *round, const uint32_t *counts)
{
    uint32_t sum = 0;
    for (size_t group = 0; group < round->groups; group++) {
        sum += counts[group];
    }
    return (int)sum;
}

uint32_t mpi_round_run(struct mpi_round *round, const void *send, void *receive, uint32_t word)
{
    const size_t fields = round->groups + 1;
    uint32_t largest = 0;
    int start = 0;
    for (size_t rank = 0; rank < (size_t)round->ranks; rank++) {
        round->send_counts[rank * fields + round->groups] = word;
    }
    MPI_Alltoall(round->send_counts, (int)fields, MPI_UINT32_T, round->receive_counts, (int)fields,
                 MPI_UINT32_T, round->comm);
    for (size_t rank = 0; rank < (size_t)round->ranks; rank++) {
        const uint32_t said = round->receive_counts[rank * fields + round->groups];
        largest = said > largest ? said : largest;
        round->send_sizes[rank] = sum_groups(round, round->send_counts + rank * fields);
        round->receive_sizes[rank] = sum_groups(round, round->receive_counts + rank * fields);
        round->receive_starts[rank] = start;
        start += round->receive_sizes[rank];
    }
    pw_assert((size_t)start <= round->capacity);
    MPI_Alltoallv(send, round->send_sizes, round->send_starts, round->type, receive,
                  round->receive_sizes, round->receive_starts, round->type, round->comm);
    return largest;
}
