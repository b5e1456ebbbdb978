/*
 * load_aids.c - the tables of functions; see load_aids.h.
 */
#include "load_aids.h"
#include "data/decode/byte_stream.h"
#include "data/formats/format_readers.h"
#include "data/graph/edge_ids.h"
#include "data/names/names_file.h"
#include "data/names/names_fit.h"
#include "data/table/table_reader.h"
#include <assert.h>

static_assert(TEXT_FRONT == BYTE_STREAM_FRONT,
              "data/read and data/decode look at the same number of bytes");

static const struct archive_choice graph_choice = {graph_format_looks_like_graph, &format_readers};

const struct text_decoder load_decoder = {byte_stream_is_packed, byte_stream_open, byte_stream_read,
                                          byte_stream_close, NULL};
const struct text_decoder load_graph_decoder = {byte_stream_is_packed, byte_stream_open,
                                                byte_stream_read, byte_stream_close, &graph_choice};

static struct graph_names *load_names(const struct graph_options *options, uint64_t memory_limit,
                                      bool *have_ids, struct graph_error *error)
{
    return names_file_load(options->names_path, &load_decoder, have_ids, memory_limit,
                           options->cancel, error);
}

struct text_aids load_aids(struct target_order *order)
{
    static const struct names_aid names = {load_names, names_fit};
    static const struct ids_aid ids = {edge_ids_collect, id_set_list, id_set_free};
    static const struct reverse_aid reverse = {target_order_init, target_order_open,
                                               target_order_close, target_order_finish,
                                               target_order_free};
    return (struct text_aids){&format_readers, &table_reader, &names, &ids, &reverse, order};
}
