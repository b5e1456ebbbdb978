/*
 * side_by_side.c - see side_by_side.h.
 */
#include "side_by_side.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "samples.h"
#include <math.h>
#include <string.h>

#define TIME_WIDTH     7
#define SPEED_WIDTH    13
#define INTERVAL_WIDTH 20

/* Three digits: "0.953", "1.39", "24.8", "1,234". */
static const char *ratio_text(char text[TEXT_FORM_SIZE], double ratio)
{
    report_number(text, report_real(ratio, 3),
                  ratio < 1     ? 3
                  : ratio < 10  ? 2
                  : ratio < 100 ? 1
                                : 0);
    return text;
}

static void describe_speed(struct side_text *text, struct samples_interval speed, bool is_base)
{
    char ratio[TEXT_FORM_SIZE], low[TEXT_FORM_SIZE], high[TEXT_FORM_SIZE];
    if (is_base) {
        snprintf(text->speed, sizeof(text->speed), "1");
    } else if (isnan(speed.median)) {
        snprintf(text->speed, sizeof(text->speed), "-");
    } else if (speed.confidence > 0) {
        snprintf(text->speed, sizeof(text->speed), "%s (%s to %s)", ratio_text(ratio, speed.median),
                 ratio_text(low, speed.low), ratio_text(high, speed.high));
    } else {
        snprintf(text->speed, sizeof(text->speed), "%s", ratio_text(ratio, speed.median));
    }
}

size_t side_cells(struct report_cell *cells, const struct side_times *times, struct side_text *text)
{
    const size_t rounds = times->rounds;
    const bool with_interval = rounds > 1;
    pw_assert(rounds > 0);
    const struct samples_interval speed =
        samples_ratio(times->base, times->own, rounds, SAMPLES_CONFIDENCE, times->scratch);
    memcpy(times->scratch, times->own, rounds * sizeof(*times->scratch));
    const struct samples_summary summary = samples_summarize(times->scratch, rounds);
    describe_speed(text, speed, times->base == times->own);
    const struct report_cell all[] = {
        {{"seconds_median", "median", NULL, TIME_WIDTH, 0},
         report_seconds((uint64_t)summary.median)},
        {{"seconds_spread", with_interval ? "spread" : NULL, NULL, 6, 1},
         report_if(with_interval, report_share(summary.spread))},
        REPORT_DATA("seconds_min", report_seconds((uint64_t)summary.low)),
        REPORT_DATA("seconds_max", report_seconds((uint64_t)summary.high)),
        {{NULL, "times as fast", NULL, with_interval ? INTERVAL_WIDTH : SPEED_WIDTH, 0},
         report_text(text->speed)},
        REPORT_DATA("speed", report_real(speed.median, 4)),
        REPORT_DATA("speed_low", report_if(with_interval, report_real(speed.low, 4))),
        REPORT_DATA("speed_high", report_if(with_interval, report_real(speed.high, 4))),
        REPORT_DATA("speed_confidence", report_if(with_interval, report_real(speed.confidence, 4))),
    };
    pw_assert(COUNT_OF(all) == SIDE_CELLS);
    memcpy(cells, all, sizeof(all));
    return COUNT_OF(all);
}

void side_explain(struct report *report, const char *base, size_t rounds, const char *more)
{
    char note[900];
    const double confidence = fmin(samples_confidence(rounds), SAMPLES_CONFIDENCE);
    if (rounds < 2) {
        snprintf(note, sizeof(note),
                 "Times as fast as %.300s. One round has neither spread nor interval; %s has both.",
                 base, more);
    } else {
        snprintf(note, sizeof(note),
                 "Times as fast as %.300s, the median of %zu rounds; in brackets the interval that "
                 "holds it with %.0f %% confidence; if it includes 1, no difference was measured. "
                 "Spread: half the distance of the quartiles, as a share of the median.",
                 base, rounds, 100 * confidence);
    }
    report_note(report, note);
}
