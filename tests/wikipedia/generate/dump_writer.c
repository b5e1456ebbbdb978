/*
 * dump_writer.c - escapes, and statements of 1 MiB.
 */
#include "dump_writer.h"
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define BUFFER_SIZE    (256 << 10)
#define ROOM           4096 /* for any value, escaped */
#define STATEMENT_SIZE ((size_t)1 << 20)

static void put(struct dump_writer *writer, const char *text, size_t length)
{
    writer->failed |= gzfwrite(text, 1, length, writer->gzip) != length;
    writer->statement += length;
}

void dump_writer_plain(struct dump_writer *writer, const char *text)
{
    put(writer, text, strlen(text));
}

bool dump_writer_open(struct dump_writer *writer, const char *path, int level,
                      bool one_row_per_line, const char *wiki, const char *table,
                      const char *create)
{
    static const char *const programs[] = {"-- MySQL dump 10.16  Distrib 10.1.45-MariaDB\n",
                                           "/*M!999999\\- enable the sandbox mode */ \n"
                                           "-- MariaDB dump 10.19  Distrib 10.11.14-MariaDB\n"};
    static const char format[] =
        "%s--\n-- Host: 127.0.0.1    Database: %s\n"
        "-- ------------------------------------------------------\n\n"
        "/*!40101 SET NAMES utf8mb4 */;\n/*!40103 SET TIME_ZONE='+00:00' */;\n\n"
        "--\n-- Table structure for table `%s`\n--\n\nDROP TABLE IF EXISTS `%s`;\n"
        "/*!40101 SET character_set_client = utf8 */;\nCREATE TABLE `%s` (\n%s\n"
        ") ENGINE=InnoDB DEFAULT CHARSET=binary ROW_FORMAT=COMPRESSED;\n\n"
        "/*!40000 ALTER TABLE `%s` DISABLE KEYS */;\n";
    const char mode[] = {'w', 'b', level > 0 ? "0123456789"[level % 10] : 'T', '\0'};
    char head[ROOM];
    *writer = (struct dump_writer){.table = table, .one_row_per_line = one_row_per_line};
    writer->gzip = gzopen(path, mode);
    if (writer->gzip == NULL) {
        return false;
    }
    gzbuffer(writer->gzip, BUFFER_SIZE);
    snprintf(head, sizeof(head), format, programs[one_row_per_line], wiki, table, table, table,
             create, table);
    dump_writer_plain(writer, head);
    writer->statement = 0;
    return true;
}

static void end_statement(struct dump_writer *writer)
{
    if (writer->statement > 0) {
        put(writer, ";\n", 2);
        writer->statement = 0;
    }
}

void dump_writer_begin_row(struct dump_writer *writer)
{
    const char *between = writer->one_row_per_line ? ",\n(" : ",(";
    if (writer->statement >= STATEMENT_SIZE) {
        end_statement(writer);
    }
    if (writer->statement == 0) {
        dump_writer_plain(writer, "INSERT INTO `");
        dump_writer_plain(writer, writer->table);
        dump_writer_plain(writer, writer->one_row_per_line ? "` VALUES\n(" : "` VALUES (");
    } else {
        dump_writer_plain(writer, between);
    }
    writer->is_first = true;
}

/* A comma, unless this is the first value of its row. */
static void separate(struct dump_writer *writer)
{
    if (!writer->is_first) {
        put(writer, ",", 1);
    }
    writer->is_first = false;
}

void dump_writer_number(struct dump_writer *writer, uint64_t value)
{
    char digits[24];
    size_t at = sizeof(digits);
    separate(writer);
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put(writer, digits + at, sizeof(digits) - at);
}

void dump_writer_text(struct dump_writer *writer, const char *text, size_t length)
{
    char escaped[ROOM];
    size_t used = 0;
    separate(writer);
    escaped[used++] = '\'';
    for (size_t i = 0; i < length && used < sizeof(escaped) - 4; i++) {
        static const char special[] = "\0\n\r\\'\"\x1a", letters[] = "0nr\\'\"Z";
        const char *found = memchr(special, text[i], sizeof(special) - 1);
        if (found != NULL) {
            escaped[used++] = '\\';
            escaped[used++] = letters[found - special];
        } else {
            escaped[used++] = text[i];
        }
    }
    escaped[used++] = '\'';
    put(writer, escaped, used);
}

void dump_writer_end_row(struct dump_writer *writer)
{
    put(writer, ")", 1);
}

bool dump_writer_close(struct dump_writer *writer, const char *date)
{
    end_statement(writer);
    dump_writer_plain(writer, "/*!40000 ALTER TABLE `");
    dump_writer_plain(writer, writer->table);
    dump_writer_plain(writer, "` ENABLE KEYS */;\n\n-- Dump completed on ");
    dump_writer_plain(writer, date);
    dump_writer_plain(writer, "  3:17:42\n");
    return gzclose(writer->gzip) == Z_OK && !writer->failed;
}
