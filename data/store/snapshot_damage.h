/*
 * snapshot_damage.h - which block of a mapped snapshot is bad, and if every block is good.
 *
 * The checksums of blocks are looked at only when the checksums of arrays have found that something
 * is wrong, or on request, so that opening a good snapshot costs no more.
 */
#pragma once

#include "snapshot_layout.h"

/*
 * Set error to what is wrong with a snapshot that has sections of some kinds, a bit each, which do
 * not hold: its first bad block among them. Without checksums of blocks, or if all of them are
 * right, the arrays do not match the header. Returns false. The sections lie in the file.
 */
bool snapshot_name_damage(const struct header *header, unsigned kinds, const char *base,
                          const char *path, struct graph_error *error);

/*
 * True if every block has its checksum, if the snapshot has any, and all bytes between the sections
 * are zero. Else false with error set to the first bad block. In a snapshot of a younger program,
 * which may have sections that are not known here, what is between the known ones is not looked at.
 * The sections lie in the file.
 */
bool snapshot_is_whole(const union header_page *page, const char *base, const char *path,
                       struct graph_error *error);
