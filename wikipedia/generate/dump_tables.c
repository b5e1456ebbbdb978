/*
 * dump_tables.c - rows of each table, and the account, which is made while the links are written.
 */
#include "dump_tables.h"
#include "base/macros.h"
#include "base/splitmix.h"
#include "data/make/sort_ids.h"
#include "dump_writer.h"
#include <stdio.h>
#include <stdlib.h>

/* Counts of what an importer of namespace 0 finds. */
struct account {
    uint64_t articles, redirects, elsewhere;
    uint64_t ends[5]; /* redirects by enum dump_end */
    uint64_t redirect_rows, target_rows, rows, inclusion_rows;
    uint64_t of_redirects, of_others, to_elsewhere, red, broken, through, self, duplicates, edges;
    uint64_t edge_sum; /* of a hash of each edge */
};

static bool open_dump(struct dump_writer *writer, const struct dump_plan *plan, const char *table,
                      const char *create, char path[4096])
{
    snprintf(path, 4096, "%.3000s/%.60s-%.4s%.2s%.2s-%s.sql%s", plan->folder, plan->wiki,
             plan->date, plan->date + 5, plan->date + 8, table, plan->level > 0 ? ".gz" : "");
    return dump_writer_open(writer, path, plan->level, plan->form == DUMP_ROWS, plan->wiki, table,
                            create);
}

static void write_title(struct dump_writer *writer, const struct dump_model *model, uint32_t target)
{
    char title[DUMP_TITLE_SIZE];
    const size_t length = dump_title(model, target, title);
    dump_writer_text(writer, title, length);
}

static bool write_pages(const struct dump_model *model, const struct dump_plan *plan,
                        struct account *account, char path[4096])
{
    static const char new_page[] = "  `page_id` int(8) unsigned NOT NULL AUTO_INCREMENT,\n"
                                   "  `page_namespace` int(11) NOT NULL DEFAULT 0,\n"
                                   "  `page_title` varbinary(255) NOT NULL DEFAULT '',\n"
                                   "  `page_is_redirect` tinyint(1) unsigned NOT NULL DEFAULT 0,\n"
                                   "  `page_is_new` tinyint(1) unsigned NOT NULL DEFAULT 0,\n"
                                   "  `page_random` double unsigned NOT NULL DEFAULT 0,\n"
                                   "  `page_touched` binary(14) NOT NULL,\n"
                                   "  `page_links_updated` varbinary(14) DEFAULT NULL,\n"
                                   "  `page_latest` int(8) unsigned NOT NULL DEFAULT 0,\n"
                                   "  `page_len` int(8) unsigned NOT NULL DEFAULT 0,\n"
                                   "  `page_content_model` varbinary(32) DEFAULT NULL,\n"
                                   "  `page_lang` varbinary(35) DEFAULT NULL,\n"
                                   "  PRIMARY KEY (`page_id`),\n"
                                   "  UNIQUE KEY `page_name_title` (`page_namespace`,`page_title`)";
    static const char old_page[] =
        "  `page_id` int(8) unsigned NOT NULL AUTO_INCREMENT,\n"
        "  `page_namespace` int(11) NOT NULL DEFAULT '0',\n"
        "  `page_title` varbinary(255) NOT NULL DEFAULT '',\n"
        "  `page_restrictions` tinyblob NOT NULL,\n"
        "  `page_counter` bigint(20) unsigned NOT NULL DEFAULT '0',\n"
        "  `page_is_redirect` tinyint(1) unsigned NOT NULL DEFAULT '0',\n"
        "  `page_is_new` tinyint(1) unsigned NOT NULL DEFAULT '0',\n"
        "  `page_random` double unsigned NOT NULL DEFAULT '0',\n"
        "  PRIMARY KEY (`page_id`)";
    struct dump_writer writer;
    if (!open_dump(&writer, plan, "page", plan->old_page ? old_page : new_page, path)) {
        return false;
    }
    for (uint32_t i = 0; i < model->page_count; i++) {
        const enum dump_kind kind = model->kinds[i];
        uint64_t random = model->seed + i;
        dump_writer_begin_row(&writer);
        dump_writer_number(&writer, dump_page_id(model, i));
        dump_writer_number(&writer, dump_namespace(model, i));
        write_title(&writer, model, i);
        if (plan->old_page) {
            dump_writer_text(&writer, i % 7 == 0 ? "edit=sysop:move=sysop" : "",
                             i % 7 == 0 ? 21 : 0);
            dump_writer_number(&writer, i % 100);
        }
        dump_writer_number(&writer, kind == DUMP_REDIRECT);
        dump_writer_number(&writer, 0);
        char number[40];
        snprintf(number, sizeof(number), i % 50 == 0 ? ",5e-%02u" : ",0.%012u", i % 90 + 5);
        dump_writer_plain(&writer, number);
        if (!plan->old_page) {
            dump_writer_text(&writer, "20261101031742", 14);
            dump_writer_plain(&writer, i % 3 == 0 ? ",NULL" : ",'20261031120000'");
            dump_writer_number(&writer, splitmix_next(&random) % 1000000000);
            dump_writer_number(&writer, splitmix_next(&random) % 100000);
            dump_writer_plain(&writer, ",'wikitext',NULL");
        }
        dump_writer_end_row(&writer);
        account->articles += kind <= DUMP_DISAMBIGUATION;
        account->redirects += kind == DUMP_REDIRECT;
        account->elsewhere += kind >= DUMP_TALK;
    }
    return dump_writer_close(&writer, plan->date);
}

static bool write_props(const struct dump_model *model, const struct dump_plan *plan,
                        char path[4096])
{
    static const char create[] = "  `pp_page` int(10) unsigned NOT NULL,\n"
                                 "  `pp_propname` varbinary(60) NOT NULL,\n"
                                 "  `pp_value` blob NOT NULL,\n"
                                 "  `pp_sortkey` float DEFAULT NULL,\n"
                                 "  PRIMARY KEY (`pp_page`,`pp_propname`)";
    struct dump_writer writer;
    if (!open_dump(&writer, plan, "page_props", create, path)) {
        return false;
    }
    for (uint32_t i = 0; i < model->page_count; i++) {
        if (model->kinds[i] == DUMP_DISAMBIGUATION || i % 5 == 0) {
            dump_writer_begin_row(&writer);
            dump_writer_number(&writer, dump_page_id(model, i));
            dump_writer_plain(&writer, model->kinds[i] == DUMP_DISAMBIGUATION
                                           ? ",'disambiguation','',NULL"
                                           : ",'wikibase_item','Q42',0.5");
            dump_writer_end_row(&writer);
        }
    }
    return dump_writer_close(&writer, plan->date);
}

static bool write_redirects(const struct dump_model *model, const struct dump_plan *plan,
                            struct account *account, char path[4096])
{
    static const char create[] = "  `rd_from` int(8) unsigned NOT NULL DEFAULT 0,\n"
                                 "  `rd_namespace` int(11) NOT NULL DEFAULT 0,\n"
                                 "  `rd_title` varbinary(255) NOT NULL DEFAULT '',\n"
                                 "  `rd_interwiki` varbinary(32) DEFAULT NULL,\n"
                                 "  `rd_fragment` varbinary(255) DEFAULT NULL,\n"
                                 "  PRIMARY KEY (`rd_from`)";
    struct dump_writer writer;
    if (!open_dump(&writer, plan, "redirect", create, path)) {
        return false;
    }
    for (uint32_t i = 0; i < model->page_count; i++) {
        const int32_t to = model->redirects[i];
        uint32_t end;
        if (model->kinds[i] != DUMP_REDIRECT) {
            continue;
        }
        account->ends[dump_follow(model, i, &end)]++;
        if (to == DUMP_UNLISTED) {
            continue;
        }
        dump_writer_begin_row(&writer);
        dump_writer_number(&writer, dump_page_id(model, i));
        if (to == DUMP_SPECIAL) {
            dump_writer_plain(&writer, ",-1,'Search','',''");
        } else if (to < 0) {
            dump_writer_number(&writer, 0);
            write_title(&writer, model, model->page_count);
            dump_writer_plain(&writer, to == DUMP_OTHER_WIKI ? ",'de',''" : ",NULL,''");
        } else {
            dump_writer_number(&writer, dump_namespace(model, (uint32_t)to));
            write_title(&writer, model, (uint32_t)to);
            dump_writer_plain(&writer, i % 4 == 0 ? ",'','Early_life'" : ",NULL,NULL");
        }
        dump_writer_end_row(&writer);
    }
    account->redirect_rows = writer.rows;
    return dump_writer_close(&writer, plan->date);
}

static bool write_targets(const struct dump_model *model, const struct dump_plan *plan,
                          struct account *account, char path[4096])
{
    static const char create[] = "  `lt_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,\n"
                                 "  `lt_namespace` int(11) NOT NULL,\n"
                                 "  `lt_title` varbinary(255) NOT NULL,\n"
                                 "  PRIMARY KEY (`lt_id`),\n"
                                 "  UNIQUE KEY `lt_namespace_title` (`lt_namespace`,`lt_title`)";
    struct dump_writer writer;
    if (plan->layout < DUMP_BOTH) {
        return true;
    }
    if (!open_dump(&writer, plan, "linktarget", create, path)) {
        return false;
    }
    for (uint32_t id = 1; id <= model->target_count; id++) {
        const uint32_t target = dump_target_of(model, id);
        dump_writer_begin_row(&writer);
        dump_writer_number(&writer, id);
        dump_writer_number(&writer, dump_namespace(model, target));
        write_title(&writer, model, target);
        dump_writer_end_row(&writer);
    }
    account->target_rows = writer.rows;
    return dump_writer_close(&writer, plan->date);
}

/* Account for the links of a page. found: room for as many nodes. */
static void account_links(const struct dump_model *model, uint32_t page, const uint32_t *targets,
                          size_t count, uint32_t *found, struct account *account)
{
    const enum dump_kind kind = model->kinds[page];
    size_t used = 0;
    account->rows += count;
    if (kind > DUMP_DISAMBIGUATION) {
        *(kind == DUMP_REDIRECT ? &account->of_redirects : &account->of_others) += count;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t target = targets[i];
        uint32_t end = 0;
        const enum dump_end how =
            target < model->page_count ? dump_follow(model, target, &end) : DUMP_END_PAGE;
        if (target >= model->page_count) {
            account->red++;
        } else if (how != DUMP_END_PAGE) {
            *(how == DUMP_END_ELSEWHERE ? &account->to_elsewhere : &account->broken) += 1;
        } else {
            account->through += end != target;
            account->self += end == page;
            found[used] = model->nodes[end];
            used += end != page;
        }
    }
    sort_ids(found, used);
    for (size_t i = 0; i < used; i++) {
        if (i > 0 && found[i] == found[i - 1]) {
            account->duplicates++;
        } else {
            account->edges++;
            account->edge_sum += splitmix_mix((uint64_t)model->nodes[page] << 32 | found[i]);
        }
    }
}

static void write_link(struct dump_writer *writer, const struct dump_model *model,
                       enum dump_layout layout, uint32_t page, uint32_t id, uint32_t target)
{
    dump_writer_begin_row(writer);
    dump_writer_number(writer, dump_page_id(model, page));
    if (layout != DUMP_TARGETS) {
        dump_writer_number(writer, dump_namespace(model, target));
        write_title(writer, model, target);
    }
    if (layout != DUMP_TITLES) {
        dump_writer_number(writer, dump_namespace(model, page));
    }
    if (layout == DUMP_BOTH && id % 3 == 0) {
        dump_writer_plain(writer, ",NULL");
    } else if (layout >= DUMP_BOTH) {
        dump_writer_number(writer, id);
    }
    dump_writer_end_row(writer);
}

static bool write_links(const struct dump_model *model, const struct dump_plan *plan,
                        struct account *account, char path[4096])
{
    static const char *const creates[] = {
        "  `pl_from` int(8) unsigned NOT NULL DEFAULT '0',\n"
        "  `pl_namespace` int(11) NOT NULL DEFAULT '0',\n"
        "  `pl_title` varbinary(255) NOT NULL DEFAULT '',\n"
        "  UNIQUE KEY `pl_from` (`pl_from`,`pl_namespace`,`pl_title`)",
        "  `pl_from` int(8) unsigned NOT NULL DEFAULT '0',\n"
        "  `pl_namespace` int(11) NOT NULL DEFAULT '0',\n"
        "  `pl_title` varbinary(255) NOT NULL DEFAULT '',\n"
        "  `pl_from_namespace` int(11) NOT NULL DEFAULT '0',\n"
        "  PRIMARY KEY (`pl_from`,`pl_namespace`,`pl_title`)",
        "  `pl_from` int(8) unsigned NOT NULL DEFAULT 0,\n"
        "  `pl_namespace` int(11) NOT NULL DEFAULT 0,\n"
        "  `pl_title` varbinary(255) NOT NULL DEFAULT '',\n"
        "  `pl_from_namespace` int(11) NOT NULL DEFAULT 0,\n"
        "  `pl_target_id` bigint(20) unsigned DEFAULT NULL,\n"
        "  PRIMARY KEY (`pl_from`,`pl_namespace`,`pl_title`)",
        "  `pl_from` int(8) unsigned NOT NULL DEFAULT 0,\n"
        "  `pl_from_namespace` int(11) NOT NULL DEFAULT 0,\n"
        "  `pl_target_id` bigint(20) unsigned NOT NULL,\n"
        "  PRIMARY KEY (`pl_from`,`pl_target_id`),\n"
        "  KEY `pl_target_id` (`pl_target_id`,`pl_from`)",
    };
    struct dump_writer writer;
    uint32_t *ids = NULL, *targets = NULL, *found = NULL;
    size_t size = 0, room = 0;
    bool done = open_dump(&writer, plan, "pagelinks", creates[plan->layout], path);
    if (!done) {
        return false;
    }
    for (uint32_t n = 0; done && n < model->page_count; n++) {
        const uint32_t page = plan->backwards ? model->page_count - 1 - n : n;
        const size_t count = dump_links(model, page, &ids, &size);
        if (room < size) {
            free(targets);
            free(found);
            room = size;
            targets = malloc(room * sizeof(*targets));
            found = malloc(room * sizeof(*found));
        }
        done = count != SIZE_MAX && targets != NULL && found != NULL;
        for (size_t i = 0; done && i < count; i++) {
            targets[i] = dump_target_of(model, ids[i]);
            write_link(&writer, model, plan->layout, page, ids[i], targets[i]);
        }
        if (done) {
            account_links(model, page, targets, count, found, account);
        }
    }
    free(ids);
    free(targets);
    free(found);
    writer.failed |= !done;
    return dump_writer_close(&writer, plan->date);
}

/* templatelinks: as pagelinks has them, by id or by title. Nothing where there are no templates. */
static bool write_inclusions(const struct dump_model *model, const struct dump_plan *plan,
                             struct account *account, char path[4096])
{
    static const char *const creates[] = {
        "  `tl_from` int(8) unsigned NOT NULL DEFAULT 0,\n"
        "  `tl_namespace` int(11) NOT NULL DEFAULT 0,\n"
        "  `tl_title` varbinary(255) NOT NULL DEFAULT '',\n"
        "  `tl_from_namespace` int(11) NOT NULL DEFAULT 0,\n"
        "  PRIMARY KEY (`tl_from`,`tl_namespace`,`tl_title`)",
        "  `tl_from` int(8) unsigned NOT NULL DEFAULT 0,\n"
        "  `tl_from_namespace` int(11) NOT NULL DEFAULT 0,\n"
        "  `tl_target_id` bigint(20) unsigned NOT NULL,\n"
        "  PRIMARY KEY (`tl_from`,`tl_target_id`),\n"
        "  KEY `tl_target_id` (`tl_target_id`,`tl_from`)",
    };
    const bool by_id = plan->layout >= DUMP_BOTH;
    struct dump_writer writer;
    uint32_t *ids = NULL;
    size_t size = 0;
    if (model->templates <= 0) {
        return true;
    }
    bool done = open_dump(&writer, plan, "templatelinks", creates[by_id], path);
    if (!done) {
        return false;
    }
    for (uint32_t page = 0; done && page < model->page_count; page++) {
        const size_t count = dump_inclusions(model, page, &ids, &size);
        done = count != SIZE_MAX;
        for (size_t i = 0; done && i < count; i++) {
            write_link(&writer, model, by_id ? DUMP_TARGETS : DUMP_FROM_NAMESPACE, page, ids[i],
                       dump_target_of(model, ids[i]));
        }
    }
    free(ids);
    account->inclusion_rows = writer.rows;
    writer.failed |= !done;
    return dump_writer_close(&writer, plan->date);
}

static bool write_account(const struct dump_model *model, const struct dump_plan *plan,
                          const struct account *account, char path[4096])
{
    const struct {
        const char *name;
        uint64_t value;
    } lines[] = {
        {"nodes", model->node_count},
        {"edges", account->edges},
        {"page rows", model->page_count},
        {"pages of other namespaces", account->elsewhere},
        {"articles", account->articles},
        {"redirects", account->redirects},
        {"redirect rows", account->redirect_rows},
        {"redirects resolved", account->ends[DUMP_END_PAGE]},
        {"redirects to no page", account->ends[DUMP_END_MISSING]},
        {"redirects to other namespaces or wikis", account->ends[DUMP_END_ELSEWHERE]},
        {"redirects in a circle", account->ends[DUMP_END_CIRCLE]},
        {"redirects without a target", account->ends[DUMP_END_UNLISTED]},
        {"link target rows", account->target_rows},
        {"link rows", account->rows},
        {"links of redirects", account->of_redirects},
        {"links of other pages", account->of_others},
        {"links to other namespaces", account->to_elsewhere},
        {"red links", account->red},
        {"links to broken redirects", account->broken},
        {"links through redirects", account->through},
        {"self-links", account->self},
        {"duplicate links", account->duplicates},
        {"inclusion rows", account->inclusion_rows},
        {"edge sum", account->edge_sum},
    };
    snprintf(path, 4096, "%.3000s/%.60s-%.4s%.2s%.2s-account.txt", plan->folder, plan->wiki,
             plan->date, plan->date + 5, plan->date + 8);
    struct dump_writer writer;
    if (!dump_writer_open(&writer, path, 0, false, NULL, NULL, NULL)) {
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        char line[80];
        snprintf(line, sizeof(line), "%s\t%llu\n", lines[i].name,
                 (unsigned long long)lines[i].value);
        dump_writer_plain(&writer, line);
    }
    return dump_writer_close(&writer, NULL);
}

bool dump_tables_write(const struct dump_model *model, const struct dump_plan *plan,
                       char path[4096])
{
    struct account account = {0};
    return write_pages(model, plan, &account, path) && write_props(model, plan, path) &&
           write_redirects(model, plan, &account, path) &&
           write_targets(model, plan, &account, path) && write_links(model, plan, &account, path) &&
           write_inclusions(model, plan, &account, path) &&
           write_account(model, plan, &account, path);
}
