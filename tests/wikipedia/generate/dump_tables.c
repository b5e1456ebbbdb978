/*
 * dump_tables.c - the rows of each table.
 */
#include "dump_tables.h"
#include "base/splitmix.h"
#include "dump_writer.h"
#include <stdio.h>
#include <stdlib.h>

static bool open_dump(struct dump_writer *writer, const struct dump_plan *plan, const char *table,
                      const char *create, char path[4096])
{
    snprintf(path, 4096, "%.3000s/%.60s-%.4s%.2s%.2s-%s.sql%s", plan->folder, plan->wiki,
             plan->date, plan->date + 5, plan->date + 8, table, plan->level > 0 ? ".gz" : "");
    return dump_writer_open(writer, path, plan->level, plan->form == DUMP_ROWS, plan->wiki, table,
                            create);
}

static void write_title(struct dump_writer *writer, uint32_t target)
{
    char title[DUMP_TITLE_SIZE];
    const size_t length = dump_title(target, title);
    dump_writer_text(writer, title, length);
}

static bool write_pages(const struct dump_model *model, const struct dump_plan *plan,
                        char path[4096])
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
        uint64_t random = 1 + (uint64_t)i;
        dump_writer_begin_row(&writer);
        dump_writer_number(&writer, dump_page_id(i));
        dump_writer_number(&writer, dump_namespace(model, i));
        write_title(&writer, i);
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
            dump_writer_number(&writer, dump_page_id(i));
            dump_writer_plain(&writer, model->kinds[i] == DUMP_DISAMBIGUATION
                                           ? ",'disambiguation','',NULL"
                                           : ",'wikibase_item','Q42',0.5");
            dump_writer_end_row(&writer);
        }
    }
    return dump_writer_close(&writer, plan->date);
}

static bool write_redirects(const struct dump_model *model, const struct dump_plan *plan,
                            char path[4096])
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
        if (model->kinds[i] != DUMP_REDIRECT || to == DUMP_UNLISTED) {
            continue;
        }
        dump_writer_begin_row(&writer);
        dump_writer_number(&writer, dump_page_id(i));
        if (to == DUMP_SPECIAL) {
            dump_writer_plain(&writer, ",-1,'Search','',''");
        } else if (to < 0) {
            dump_writer_number(&writer, 0);
            write_title(&writer, model->page_count);
            dump_writer_plain(&writer, to == DUMP_OTHER_WIKI ? ",'de',''" : ",NULL,''");
        } else {
            dump_writer_number(&writer, dump_namespace(model, (uint32_t)to));
            write_title(&writer, (uint32_t)to);
            dump_writer_plain(&writer, i % 4 == 0 ? ",'','Early_life'" : ",NULL,NULL");
        }
        dump_writer_end_row(&writer);
    }
    return dump_writer_close(&writer, plan->date);
}

static bool write_targets(const struct dump_model *model, const struct dump_plan *plan,
                          char path[4096])
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
        write_title(&writer, target);
        dump_writer_end_row(&writer);
    }
    return dump_writer_close(&writer, plan->date);
}

static void write_link(struct dump_writer *writer, const struct dump_model *model,
                       enum dump_layout layout, uint32_t page, uint32_t id, uint32_t target)
{
    dump_writer_begin_row(writer);
    dump_writer_number(writer, dump_page_id(page));
    if (layout != DUMP_TARGETS) {
        dump_writer_number(writer, dump_namespace(model, target));
        write_title(writer, target);
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
                        char path[4096])
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
    uint32_t *ids = NULL;
    size_t size = 0;
    bool done = open_dump(&writer, plan, "pagelinks", creates[plan->layout], path);
    if (!done) {
        return false;
    }
    for (uint32_t n = 0; done && n < model->page_count; n++) {
        const uint32_t page = plan->backwards ? model->page_count - 1 - n : n;
        const size_t count = dump_links(model, page, &ids, &size);
        done = count != SIZE_MAX;
        for (size_t i = 0; done && i < count; i++) {
            write_link(&writer, model, plan->layout, page, ids[i], dump_target_of(model, ids[i]));
        }
    }
    free(ids);
    writer.failed |= !done;
    return dump_writer_close(&writer, plan->date);
}

/* templatelinks: as pagelinks has them, by id or by title. Nothing where there are no templates. */
static bool write_inclusions(const struct dump_model *model, const struct dump_plan *plan,
                             char path[4096])
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
    writer.failed |= !done;
    return dump_writer_close(&writer, plan->date);
}

bool dump_tables_write(const struct dump_model *model, const struct dump_plan *plan,
                       char path[4096])
{
    return write_pages(model, plan, path) && write_props(model, plan, path) &&
           write_redirects(model, plan, path) && write_targets(model, plan, path) &&
           write_links(model, plan, path) && write_inclusions(model, plan, path);
}
