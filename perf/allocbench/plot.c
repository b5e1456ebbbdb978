/*
 * plot.c - the gnuplot script of a picture, data included, and running it.
 */
#include "plot.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Colours that stay apart for colour-blind eyes: Okabe and Ito's, and darker ones after them. */
static const char *const colours[PLOT_SERIES_MAX] = {
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#7A1FA2",
    "#4B3F72", "#7F7F7F", "#8C564B", "#1B7837", "#C51B7D", "#2166AC", "#B2182B", "#01665E"};

bool plot_open(struct plot *plot, enum plot_kind kind, const char *name, size_t point_count)
{
    memset(plot, 0, sizeof(*plot));
    plot->kind = kind;
    snprintf(plot->name, sizeof(plot->name), "%s", name);
    plot->x = calloc(point_count, sizeof(*plot->x));
    plot->labels = calloc(point_count, sizeof(*plot->labels));
    if (plot->x == NULL || plot->labels == NULL) {
        free(plot->x);
        free(plot->labels);
        memset(plot, 0, sizeof(*plot));
        return false;
    }
    plot->point_count = point_count;
    return true;
}

void plot_close(struct plot *plot)
{
    for (size_t i = 0; i < plot->point_count; i++) {
        free(plot->labels[i]);
    }
    for (size_t i = 0; i < plot->series_count; i++) {
        free(plot->series[i].values);
    }
    free(plot->labels);
    free(plot->x);
    memset(plot, 0, sizeof(*plot));
}

void plot_label(struct plot *plot, size_t point, const char *label)
{
    free(plot->labels[point]);
    plot->labels[point] = strdup(label);
}

double *plot_add_series(struct plot *plot, const char *name)
{
    if (plot->series_count == PLOT_SERIES_MAX) {
        return NULL;
    }
    double *values = calloc(plot->point_count, sizeof(*values));
    if (values == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < plot->point_count; i++) {
        values[i] = NAN;
    }
    struct plot_series *series = &plot->series[plot->series_count++];
    snprintf(series->name, sizeof(series->name), "%s", name);
    series->values = values;
    return values;
}

/* A text in double quotes, as gnuplot reads it; enhanced text is off. */
static void write_quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            putc('\\', out);
        }
        putc(*text, out);
    }
    putc('"', out);
}

/* A label in the data, where gnuplot knows no escapes. */
static void write_label(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        putc(*text == '"' ? '\'' : *text, out);
    }
    putc('"', out);
}

static void write_data(FILE *out, const struct plot *plot)
{
    fputs("$data << END_OF_DATA\n", out);
    for (size_t point = 0; point < plot->point_count; point++) {
        if (plot->kind == PLOT_BARS) {
            write_label(out, plot->labels[point] != NULL ? plot->labels[point] : "");
        } else {
            fprintf(out, "%.17g", plot->x[point]);
        }
        for (size_t i = 0; i < plot->series_count; i++) {
            double value = plot->series[i].values[point];
            if (isnan(value) || (plot->y_log && value <= 0)) {
                fputs(" ?", out);
            } else {
                fprintf(out, " %.17g", value);
            }
        }
        fputs("\n", out);
    }
    fputs("END_OF_DATA\n", out);
}

static void write_curves(FILE *out, const struct plot *plot)
{
    fputs("plot", out);
    for (size_t i = 0; i < plot->series_count; i++) {
        const char *colour = colours[i % PLOT_SERIES_MAX];
        fprintf(out, "%s $data using ", i > 0 ? ", \\\n    " : "");
        if (plot->kind == PLOT_BARS) {
            fprintf(out, "%zu:xtic(1) with histograms lc rgb \"%s\"", i + 2, colour);
        } else if (plot->kind == PLOT_POINTS) {
            fprintf(out, "1:%zu with points pt 7 ps 0.45 lc rgb \"%s\"", i + 2, colour);
        } else {
            fprintf(out, "1:%zu with linespoints pt 7 ps 0.7 lw 2 lc rgb \"%s\"", i + 2, colour);
        }
        if (plot->kind == PLOT_POINTS) { /* larger in the legend than in the picture */
            fprintf(out, " notitle, \\\n    keyentry with points pt 7 ps 1.2 lc rgb \"%s\"",
                    colour);
        }
        fputs(" title ", out);
        write_quoted(out, plot->series[i].name);
    }
    fputs("\n", out);
}

/* Whether the labels of the groups would run into each other side by side. */
static bool labels_are_long(const struct plot *plot)
{
    size_t longest = 0;
    for (size_t i = 0; i < plot->point_count; i++) {
        size_t length = plot->labels[i] != NULL ? strlen(plot->labels[i]) : 0;
        longest = length > longest ? length : longest;
    }
    return longest * plot->point_count > 95; /* characters across the picture */
}

static void write_script(FILE *out, const struct plot *plot)
{
    bool many = plot->kind == PLOT_BARS && plot->point_count * plot->series_count > 40;
    int width = many ? 1600 : 1100;
    fprintf(out, "set encoding utf8\nset datafile missing \"?\"\n");
    fputs("set title ", out);
    write_quoted(out, plot->title);
    fputs("\nset xlabel ", out);
    write_quoted(out, plot->x_label);
    fputs("\nset ylabel ", out);
    write_quoted(out, plot->y_label);
    fputs("\nset key outside right top vertical Left reverse spacing 1.2\nset grid ytics back lt 1 "
          "lw 0.5 lc rgb \"#bbbbbb\"\n",
          out);
    fputs("set border 3\nset tics nomirror\nset style fill solid 0.9 noborder\n", out);
    if (plot->x_log) {
        fputs("set logscale x 2\n", out);
    }
    if (plot->kind == PLOT_POINTS) {
        fprintf(out, "set xrange [%.17g:%.17g]\n", plot->x[0], plot->x[plot->point_count - 1]);
    }
    if (plot->y_log) {
        fputs("set logscale y 10\n", out);
    } else {
        fprintf(out, plot->y_max > 0 ? "set yrange [0:%.17g]\n" : "set yrange [0:*]\n",
                plot->y_max);
    }
    if (plot->kind == PLOT_BARS) {
        fputs("set style histogram clustered gap 1\nset boxwidth 0.9\n", out);
        if (labels_are_long(plot)) {
            fputs("set xtics rotate by -45\n", out);
        }
    }
    write_data(out, plot);
    fprintf(out,
            "set terminal svg noenhanced size %d,560 dynamic font \"sans-serif,14\" "
            "background rgb \"white\"\n",
            width);
    fprintf(out, "set output \"%s.svg\"\n", plot->name);
    write_curves(out, plot);
    fprintf(out,
            "set terminal pngcairo noenhanced size %d,560 font \"sans-serif,11\" "
            "background rgb \"white\"\n",
            width);
    fprintf(out, "set output \"%s.png\"\n", plot->name);
    write_curves(out, plot);
    fputs("set output\n", out);
}

/* Run gnuplot in the folder. Its exit status, or 127 when it cannot be run. */
static int run_gnuplot(const char *folder, const char *script)
{
    pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0) {
            execlp("gnuplot", "gnuplot", script, (char *)NULL);
        }
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

bool plot_draw(const struct plot *plot, const char *folder, char *why, size_t why_size)
{
    char path[600];
    char script[60];
    snprintf(script, sizeof(script), "%s.gp", plot->name);
    snprintf(path, sizeof(path), "%s/%s", folder, script);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        snprintf(why, why_size, "%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    write_script(out, plot);
    if (fclose(out) != 0) {
        snprintf(why, why_size, "%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    int status = run_gnuplot(folder, script);
    if (status == 127) {
        snprintf(why, why_size, "gnuplot is not installed: %s is written, and not drawn", path);
    } else if (status != 0) {
        snprintf(why, why_size, "gnuplot could not draw %s", path);
    }
    return status == 0;
}
