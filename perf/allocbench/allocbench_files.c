/*
 * allocbench_files.c - the files of a result: CSV, JSON, the article's form, pictures, and the page
 * of all, in Markdown and in HTML.
 */
#include "allocbench.h"
#include "perf/counters/pmu.h"
#include <errno.h>
#include <string.h>

static FILE *open_in(const char *folder, const char *name, const char *suffix,
                     struct command_error *error)
{
    char path[800];
    snprintf(path, sizeof(path), "%.600s/%s%s", folder, name, suffix);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        command_fail(error, "%s: cannot be written: %s", path, strerror(errno));
    }
    return out;
}

static bool close_in(FILE *out, const char *folder, const char *name, struct command_error *error)
{
    return fclose(out) == 0 ||
           command_fail(error, "%.600s/%s: cannot be written: %s", folder, name, strerror(errno));
}

static void write_clock(const struct bench *bench, FILE *out)
{
    fprintf(out, "%s, %.4f ns a tick; a reading costs %u ticks, which are subtracted",
            bench->clock.name, bench->clock.ns_per_tick, bench->clock.reading_ticks);
}

void bench_write_json(const struct bench *bench, const struct bench_experiment *experiment,
                      const struct bench_result *result, FILE *out)
{
    fputs("{\n\"schema\": \"allocbench-1\",\n\"experiment\": ", out);
    bench_write_json_string(out, experiment->name);
    fputs(",\n\"measured\": ", out);
    bench_write_json_string(out, result->about);
    fprintf(out,
            ",\n\"clock\": {\"name\": \"%s\", \"ns_per_tick\": %.6f, \"reading_ticks\": %u},\n"
            "\"runs\": %zu,\n\"seed\": %llu,\n\"as_published\": %s,\n\"complete\": %s,\n"
            "\"tables\": {",
            bench->clock.name, bench->clock.ns_per_tick, bench->clock.reading_ticks, bench->runs,
            (unsigned long long)bench->seed, bench->as_published ? "true" : "false",
            result->incomplete ? "false" : "true");
    for (size_t i = 0; i < result->table_count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        bench_write_json_string(out, result->tables[i].name);
        fputs(": ", out);
        bench_table_write(&result->tables[i], BENCH_JSON, out);
    }
    fputs("\n},\n\"notes\": [", out);
    for (size_t i = 0; i < result->note_count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        bench_write_json_string(out, result->notes[i]);
    }
    fputs("\n]\n}\n", out);
}

bool bench_write_files(const struct bench *bench, const struct bench_experiment *experiment,
                       struct bench_result *result, const char *folder, struct command_error *error)
{
    for (size_t i = 0; i < result->table_count; i++) {
        FILE *out = open_in(folder, result->tables[i].name, ".csv", error);
        if (out == NULL) {
            return false;
        }
        bench_table_write(&result->tables[i], BENCH_CSV, out);
        if (!close_in(out, folder, result->tables[i].name, error)) {
            return false;
        }
    }
    if (result->article != NULL) {
        FILE *out = open_in(folder, experiment->name, ".article.csv", error);
        if (out == NULL) {
            return false;
        }
        fputs(result->article, out);
        if (!close_in(out, folder, experiment->name, error)) {
            return false;
        }
    }
    FILE *out = open_in(folder, experiment->name, ".json", error);
    if (out == NULL) {
        return false;
    }
    bench_write_json(bench, experiment, result, out);
    if (!close_in(out, folder, experiment->name, error)) {
        return false;
    }
    for (size_t i = 0; i < result->plot_count; i++) {
        char why[900];
        if (!plot_draw(&result->plots[i], folder, why, sizeof(why))) {
            bench_note(result, "%.380s", why);
        }
    }
    return true;
}

/* Pages --------------------------------------------------------------------------------------- */

static void write_machine(const struct bench *bench, FILE *out)
{
    struct pmu_host host;
    pmu_host_read(&host, "");
    fprintf(out, "%s%s. Clock: ", host.processor, host.is_virtual ? ", virtual" : "");
    write_clock(bench, out);
    fprintf(out, ". Seed %llu.", (unsigned long long)bench->seed);
}

static void write_markdown_entry(const struct bench_page_entry *entry, FILE *out)
{
    const struct bench_result *result = entry->result;
    fprintf(out, "\n## %s\n\n%s. After %s.\n\nMeasured: %s.\n", entry->experiment->name,
            entry->experiment->summary, entry->experiment->source, result->about);
    if (entry->experiment->published != NULL) {
        fprintf(out, "\n> Published: %s\n", entry->experiment->published);
    }
    if (result->verdict[0] != '\0') {
        fprintf(out, "\n**%s**\n", result->verdict);
    }
    for (size_t i = 0; i < result->table_count; i++) {
        const struct bench_table *table = &result->tables[i];
        if (table->data_only) {
            fprintf(out, "\n%s: [%s.csv](%s.csv)\n", table->title, table->name, table->name);
            continue;
        }
        fprintf(out, "\n%s ([CSV](%s.csv))\n\n", table->title, table->name);
        bench_table_write(table, BENCH_MARKDOWN, out);
    }
    for (size_t i = 0; i < result->plot_count; i++) {
        fprintf(out, "\n![%s](%s.png)\n", result->plots[i].title, result->plots[i].name);
    }
    for (size_t i = 0; i < result->note_count; i++) {
        fprintf(out, "%s- %s\n", i == 0 ? "\n" : "", result->notes[i]);
    }
}

static void write_html_entry(const struct bench_page_entry *entry, FILE *out)
{
    const struct bench_result *result = entry->result;
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<p>", entry->experiment->name,
            entry->experiment->name);
    bench_write_html(out, entry->experiment->summary);
    fputs(". After ", out);
    bench_write_html(out, entry->experiment->source);
    fputs(".</p>\n<p class=\"about\">Measured: ", out);
    bench_write_html(out, result->about);
    fputs(".</p>\n<div class=\"beside\"><div>\n", out);
    for (size_t i = 0; i < result->table_count; i++) {
        const struct bench_table *table = &result->tables[i];
        if (table->data_only) {
            fprintf(out, "<p><a href=\"%s.csv\">", table->name);
            bench_write_html(out, table->title);
            fputs(" (CSV)</a></p>\n", out);
            continue;
        }
        fputs("<h3>", out);
        bench_write_html(out, table->title);
        fprintf(out, " <a href=\"%s.csv\">CSV</a></h3>\n", table->name);
        bench_table_write(table, BENCH_HTML, out);
    }
    fputs("</div>\n<aside><h3>Published</h3><p>", out);
    bench_write_html(out, entry->experiment->published != NULL ? entry->experiment->published
                                                               : "No figures; this project's own.");
    fputs("</p>\n", out);
    if (result->verdict[0] != '\0') {
        fputs("<h3>Beside each other</h3><p>", out);
        bench_write_html(out, result->verdict);
        fputs("</p>\n", out);
    }
    fputs("</aside></div>\n", out);
    for (size_t i = 0; i < result->plot_count; i++) {
        fprintf(out, "<figure><img src=\"%s.svg\" alt=\"", result->plots[i].name);
        bench_write_html(out, result->plots[i].title);
        fputs("\"></figure>\n", out);
    }
    fputs(result->note_count > 0 ? "<ul>\n" : "", out);
    for (size_t i = 0; i < result->note_count; i++) {
        fputs("<li>", out);
        bench_write_html(out, result->notes[i]);
        fputs("</li>\n", out);
    }
    fputs(result->note_count > 0 ? "</ul>\n</section>\n" : "</section>\n", out);
}

static const char html_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>allocbench</title>\n<style>\n"
    "body{font:16px/1.5 sans-serif;max-width:82rem;margin:2rem auto;padding:0 1rem;color:#222}\n"
    "table{border-collapse:collapse;margin:.5rem 0;font-size:14px}\n"
    "th,td{padding:.15rem .6rem;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "h3{margin:1.2rem 0 .3rem;font-size:1rem}\n"
    ".beside{display:grid;grid-template-columns:minmax(0,1fr) 18rem;gap:2rem}\n"
    ".beside>div{overflow-x:auto}\n"
    "aside{background:#f5f5f0;padding:0 1rem 1rem;align-self:start}\n"
    "img{max-width:100%}figure{margin:1rem 0}.about{color:#555}\n"
    "@media(max-width:50rem){.beside{display:block}}\n"
    "</style></head><body>\n<h1>What dynamic allocation costs, measured here</h1>\n<p>";

bool bench_write_pages(const struct bench *bench, const struct bench_page_entry *entries,
                       size_t count, const char *folder, struct command_error *error)
{
    FILE *out = open_in(folder, "index", ".md", error);
    if (out == NULL) {
        return false;
    }
    fputs("# What dynamic allocation costs, measured here\n\n", out);
    write_machine(bench, out);
    fputs(" Every figure is a median of interleaved runs, each in a process of its own.\n", out);
    for (size_t i = 0; i < count; i++) {
        write_markdown_entry(&entries[i], out);
    }
    if (!close_in(out, folder, "index.md", error) ||
        (out = open_in(folder, "index", ".html", error)) == NULL) {
        return false;
    }
    fputs(html_head, out);
    write_machine(bench, out);
    fputs(" Every figure is a median of interleaved runs, each in a process of its own.</p>\n<p>",
          out);
    for (size_t i = 0; i < count; i++) {
        const char *name = entries[i].experiment->name;
        fprintf(out, "<a href=\"#%s\">%s</a> ", name, name);
    }
    fputs("</p>\n", out);
    for (size_t i = 0; i < count; i++) {
        write_html_entry(&entries[i], out);
    }
    fputs("</body></html>\n", out);
    return close_in(out, folder, "index.html", error);
}
