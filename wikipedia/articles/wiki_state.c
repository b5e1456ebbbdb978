/*
 * wiki_state.c - nodes get their numbers, redirects are followed; see wiki_state.h.
 */
#include "wiki_state.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * True if the options leave out a title. glibc's fnmatch compares bytes if the characters do not
 * match, so half of one character may match half of another. Therefore a pattern begins with "any
 * but e acute" and the title with e circumflex: another character with the same first byte.
 */
static bool is_dropped(const struct wiki_options *options, const char *title)
{
    char guarded[TITLE_LENGTH_MAX + 3];
    const bool has_characters = MB_CUR_MAX > 1 && mbstowcs(NULL, title, 0) != SIZE_MAX;
    const size_t skipped = has_characters ? 0 : sizeof(WIKI_PATTERN_GUARD) - 1;
    snprintf(guarded, sizeof(guarded), "%s%s", has_characters ? "\xc3\xaa" : "", title);
    for (size_t i = 0; i < options->drop_title_count; i++) {
        if (fnmatch(options->drop_titles[i] + skipped, guarded, 0) == 0) {
            return true;
        }
    }
    return false;
}

bool wiki_number_nodes(struct wiki_state *state)
{
    struct title_table *titles = &state->titles;
    for (uint32_t i = 0; i < titles->count; i++) {
        size_t length;
        if (titles->ends[i] == TITLE_ARTICLE && state->options->drop_title_count > 0 &&
            is_dropped(state->options, title_text(titles, i, &length))) {
            titles->ends[i] = TITLE_DROPPED;
            state->counts[WIKI_DROPPED_TITLES]++;
        }
        if (titles->ends[i] == TITLE_ARTICLE) {
            titles->ends[i] = TITLE_NODE + state->node_count++;
        }
    }
    state->next = calloc((size_t)titles->count + 1, sizeof(*state->next));
    return state->next != NULL;
}

/* Follow a redirect to its end; all redirects on the way get the same end. */
static uint32_t follow(struct wiki_state *state, uint32_t from)
{
    uint32_t *ends = state->titles.ends;
    uint32_t at = from, end = TITLE_UNKNOWN;
    while (end == TITLE_UNKNOWN) {
        const uint32_t next = state->next[at];
        ends[at] = TITLE_WALKED;
        if (next < TITLE_NODE) {
            end = next == TITLE_RED         ? TITLE_MISSING
                  : next == TITLE_ELSEWHERE ? TITLE_ELSEWHERE
                                            : TITLE_UNLISTED;
        } else if (ends[next - TITLE_NODE] == TITLE_WALKED) {
            end = TITLE_CIRCLE;
        } else if (ends[next - TITLE_NODE] != TITLE_REDIRECT) {
            end = ends[next - TITLE_NODE];
            end = end >= TITLE_NODE      ? end | TITLE_THROUGH
                  : end == TITLE_DROPPED ? (uint32_t)TITLE_TO_DROPPED
                                         : end;
        } else {
            at = next - TITLE_NODE;
        }
    }
    for (at = from; ends[at] == TITLE_WALKED; at = state->next[at] - TITLE_NODE) {
        ends[at] = end;
        if (state->next[at] < TITLE_NODE) {
            break;
        }
    }
    return end;
}

void wiki_follow_redirects(struct wiki_state *state)
{
    static const enum wiki_count what[TITLE_NODE] = {
        [TITLE_ELSEWHERE] = WIKI_REDIRECTS_ELSEWHERE, [TITLE_TO_DROPPED] = WIKI_REDIRECTS_DROPPED,
        [TITLE_MISSING] = WIKI_REDIRECTS_MISSING,     [TITLE_CIRCLE] = WIKI_REDIRECTS_CIRCLE,
        [TITLE_UNLISTED] = WIKI_REDIRECTS_UNLISTED,
    };
    struct title_table *titles = &state->titles;
    for (uint32_t i = 0; i < titles->count; i++) {
        if (titles->ends[i] == TITLE_REDIRECT) {
            follow(state, i);
        }
    }
    for (uint32_t i = 0; i < titles->count; i++) {
        const uint32_t end = titles->ends[i];
        if (end >= TITLE_NODE) {
            state->counts[WIKI_REDIRECTS_RESOLVED] += (end & TITLE_THROUGH) != 0;
        } else if (end != TITLE_DROPPED) {
            pw_assert(what[end] != 0);
            state->counts[what[end]]++;
        }
    }
    free(state->next);
    state->next = NULL;
}

void wiki_state_free(struct wiki_state *state)
{
    title_table_free(&state->titles);
    free(state->next);
    memory_unmap(state->targets, state->target_count * sizeof(*state->targets));
    link_table_free(&state->links);
    template_links_free(&state->templates);
    state->next = state->targets = NULL;
    state->target_count = 0;
}
