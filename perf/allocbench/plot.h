/*
 * plot.h - a picture of several series, drawn by gnuplot as SVG and PNG.
 */
#ifndef PW_PLOT_H
#define PW_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#define PLOT_SERIES_MAX 16

enum plot_kind { PLOT_BARS, PLOT_POINTS, PLOT_LINES };

struct plot_series {
    char name[80];
    double *values; /* one a point, NaN: none; the plot's own */
};

struct plot {
    enum plot_kind kind;
    char name[40]; /* of the files, without suffix */
    char title[160];
    char x_label[80];
    char y_label[80];
    bool x_log, y_log;
    double y_max; /* what lies above is left out of the picture; 0: nothing */
    size_t point_count;
    double *x;     /* POINTS and LINES: one a point */
    char **labels; /* BARS: one a group */
    size_t series_count;
    struct plot_series series[PLOT_SERIES_MAX];
};

/* An empty plot with room for points; false when out of memory. */
bool plot_open(struct plot *plot, enum plot_kind kind, const char *name, size_t point_count);
void plot_close(struct plot *plot);

/* Name the group (BARS) of a point; add a series and return its values, NULL when full. */
void plot_label(struct plot *plot, size_t point, const char *label);
double *plot_add_series(struct plot *plot, const char *name);

/*
 * Write FOLDER/NAME.gp, and have gnuplot draw NAME.svg and NAME.png from it. False with why set
 * when the script cannot be written or gnuplot is missing or fails; the script stays.
 */
bool plot_draw(const struct plot *plot, const char *folder, char *why, size_t why_size);

#endif
