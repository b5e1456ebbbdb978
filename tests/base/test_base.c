/*
 * test_base.c - arrays that grow, huge pages, whole files, random numbers, suggestions and
 * assertions.
 */
#include "base/array_reserve.h"
#include "base/huge_pages.h"
#include "base/macros.h"
#include "base/one_line.h"
#include "base/program/file_replace.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"
#include "base/suggestion.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[TEMPORARY_FOLDER_SIZE];
static char path[200];

static void make_folder(void)
{
    temporary_folder_make(folder, "base");
    snprintf(path, sizeof(path), "%s/file", folder);
}

static void remove_folder(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0); /* so nothing else was left in it */
}

static void write_old(const char *text)
{
    FILE *out = fopen(path, "w");
    ck_assert(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
}

static void expect_content(const char *text)
{
    char found[64] = "";
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    size_t length = fread(found, 1, sizeof(found) - 1, in);
    found[length] = '\0';
    fclose(in);
    ck_assert_str_eq(found, text);
}

START_TEST(a_file_is_replaced_only_when_it_is_committed)
{
    struct file_replace file;
    write_old("old");
    ck_assert(file_replace_open(&file, path));
    ck_assert_int_eq(write(file.fd, "new", 3), 3);
    expect_content("old");
    ck_assert(file_replace_commit(&file));
    expect_content("new");
    file_replace_abandon(&file); /* after a commit it does nothing */
    expect_content("new");
}
END_TEST

START_TEST(an_abandoned_file_leaves_the_old_one_and_nothing_else)
{
    struct file_replace file;
    write_old("old");
    ck_assert(file_replace_open(&file, path));
    ck_assert_int_eq(write(file.fd, "new", 3), 3);
    errno = ENOSPC;
    file_replace_abandon(&file);
    ck_assert_int_eq(errno, ENOSPC);
    expect_content("old");
}
END_TEST

START_TEST(a_file_that_cannot_get_its_name_is_gone)
{
    struct file_replace file;
    char gone[300];
    snprintf(gone, sizeof(gone), "%s/gone", folder);
    ck_assert_int_eq(access(gone, F_OK), -1);
    ck_assert(file_replace_open(&file, path));
    char moved[300];
    snprintf(moved, sizeof(moved), "%s.moved", folder);
    ck_assert_int_eq(rename(folder, moved), 0); /* its folder goes away */
    ck_assert(!file_replace_commit(&file));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_int_eq(rename(moved, folder), 0);
}
END_TEST

START_TEST(what_cannot_take_its_place_leaves_nothing_beside_it)
{
    struct file_replace file;
    char place[300];
    snprintf(place, sizeof(place), "%s/place", folder);
    ck_assert(file_replace_open(&file, place));
    ck_assert_int_eq(mkdir(place, 0700), 0); /* a folder has come to the place meanwhile */
    ck_assert(!file_replace_commit(&file));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert_int_eq(access(file.temporary, F_OK), -1);
    ck_assert_int_eq(rmdir(place), 0);
}
END_TEST

static void replace_beside(const char *temporary)
{
    struct file_replace file;
    write_old("old");
    ck_assert(file_replace_open(&file, path));
    ck_assert_int_eq(write(file.fd, "new", 3), 3);
    ck_assert(file_replace_commit(&file));
    expect_content("new");
    ck_assert_str_ne(file.temporary, temporary);
}

START_TEST(what_a_killed_process_has_left_is_removed_by_the_next)
{
    char left[300];
    snprintf(left, sizeof(left), "%s.pw-part-00", path);
    int fd = open(left, O_CREAT | O_WRONLY, 0666);
    ck_assert(fd >= 0 && write(fd, "ne", 2) == 2 && close(fd) == 0);
    replace_beside("");
    ck_assert_int_eq(access(left, F_OK), -1);
}
END_TEST

START_TEST(the_temporary_file_of_a_live_process_is_not_touched)
{
    char used[300];
    snprintf(used, sizeof(used), "%s.pw-part-00", path);
    int fd = open(used, O_CREAT | O_WRONLY, 0666);
    ck_assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
    replace_beside(used);
    ck_assert_int_eq(unlink(used), 0);
    close(fd);
}
END_TEST

START_TEST(a_link_is_followed_and_permissions_are_kept)
{
    struct file_replace file;
    struct stat status;
    char link[300];
    snprintf(link, sizeof(link), "%s/link", folder);
    write_old("old");
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(symlink(path, link), 0);
    ck_assert(file_replace_open(&file, link));
    ck_assert_int_eq(write(file.fd, "new", 3), 3);
    expect_content("old");
    ck_assert(file_replace_commit(&file));
    expect_content("new");
    ck_assert(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    ck_assert(stat(path, &status) == 0 && (status.st_mode & 0777) == 0640);
    ck_assert_int_eq(unlink(link), 0);
}
END_TEST

START_TEST(what_is_open_already_is_written_directly)
{
    struct file_replace file;
    struct stat before;
    struct stat after;
    char name[40];
    write_old("old");
    int fd = open(path, O_RDWR);
    ck_assert(fd >= 0 && fstat(fd, &before) == 0);
    snprintf(name, sizeof(name), "/dev/fd/%d", fd);
    ck_assert(file_replace_open(&file, name));
    ck_assert(file.direct);
    ck_assert_int_eq(write(file.fd, "new", 3), 3);
    ck_assert(file_replace_commit(&file));
    expect_content("new");
    ck_assert(stat(path, &after) == 0 && after.st_ino == before.st_ino);
    close(fd);
}
END_TEST

START_TEST(a_device_is_written_directly)
{
    struct file_replace file;
    ck_assert(file_replace_open(&file, "/dev/null"));
    ck_assert(file.direct);
    ck_assert_int_eq(write(file.fd, "x", 1), 1);
    ck_assert(file_replace_commit(&file));
    ck_assert(!file_replace_open(&file, "/nonexistent/file"));
    ck_assert_int_eq(errno, ENOENT);
    file_replace_abandon(&file);
}
END_TEST

START_TEST(a_mapping_is_aligned_zeroed_and_as_long_as_asked)
{
    static const size_t sizes[] = {1, 4096, HUGE_PAGE_BYTES - 1, HUGE_PAGE_BYTES,
                                   3 * HUGE_PAGE_BYTES + 5};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        bool advised;
        unsigned char *block = huge_pages_map(sizes[i], &advised);
        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % HUGE_PAGE_BYTES, 0);
        ck_assert(block[0] == 0 && block[sizes[i] - 1] == 0);
        block[sizes[i] - 1] = 1;
        ck_assert_int_eq(munmap(block, sizes[i]), 0);
    }
    ck_assert_ptr_null(huge_pages_map(0, NULL));
    ck_assert_ptr_null(huge_pages_map(SIZE_MAX, NULL));
    ck_assert_int_eq(errno, ENOMEM);
}
END_TEST

START_TEST(advice_leaves_what_lies_there_and_needs_one_whole_huge_page)
{
    bool can_advise = false;
    unsigned char *block = huge_pages_map(3 * HUGE_PAGE_BYTES, &can_advise);
    ck_assert_ptr_nonnull(block);
    block[HUGE_PAGE_BYTES + 7] = 42;
    ck_assert(huge_pages_advise(block + 1, 3 * HUGE_PAGE_BYTES - 1) == can_advise);
    ck_assert_uint_eq(block[HUGE_PAGE_BYTES + 7], 42);
    ck_assert(!huge_pages_advise(block + 1, 2 * HUGE_PAGE_BYTES - 2)); /* a byte is missing */
    ck_assert(!huge_pages_advise(block, HUGE_PAGE_BYTES - 1));
    ck_assert(!huge_pages_advise(block, 0));
    ck_assert_int_eq(munmap(block, 3 * HUGE_PAGE_BYTES), 0);
}
END_TEST

START_TEST(an_array_grows_twice_as_large_and_keeps_its_items)
{
    uint32_t *items = NULL;
    size_t capacity = 0, steps = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        const size_t before = capacity;
        ck_assert(array_reserve(&items, &capacity, (size_t)i + 1, sizeof(*items)));
        ck_assert_uint_gt(capacity, i);
        steps += capacity != before;
        items[i] = i * 7;
    }
    ck_assert_uint_lt(steps, 20);
    for (uint32_t i = 0; i < 100000; i++) {
        ck_assert_uint_eq(items[i], i * 7);
    }
    free(items);
}
END_TEST

START_TEST(an_array_that_cannot_grow_stays_as_it_was)
{
    uint64_t *items = NULL;
    size_t capacity = 0;
    ck_assert(array_reserve(&items, &capacity, 10, sizeof(*items)));
    items[9] = 42;
    const uint64_t *before = items;
    const size_t room = capacity;
    ck_assert(!array_reserve(&items, &capacity, SIZE_MAX / 4, sizeof(*items)));
    ck_assert_ptr_eq(items, before);
    ck_assert_uint_eq(capacity, room);
    ck_assert_uint_eq(items[9], 42);
    free(items);
}
END_TEST

START_TEST(splitmix_gives_the_published_numbers)
{
    uint64_t state = 1234567; /* the test vector of the reference implementation */
    ck_assert_uint_eq(splitmix_next(&state), UINT64_C(6457827717110365317));
    ck_assert_uint_eq(splitmix_next(&state), UINT64_C(3203168211198807973));
    ck_assert_uint_eq(splitmix_next(&state), UINT64_C(9817491932198370423));
}
END_TEST

START_TEST(a_false_assertion_aborts_in_a_debug_build_only)
{
#ifdef PW_DEBUG
    bool evaluated = true;
#else
    bool evaluated = false;
#endif
    int calls = 0;
    pw_assert(++calls == 1);
    ck_assert_int_eq(calls, evaluated);
}
END_TEST

static void assert_suggested(const char *wanted, const char *expected)
{
    static const char *const names[] = {"malloc", "pool", "slab", "block", "bump", "no-free"};
    char text[SUGGESTION_SIZE];
    struct suggestion near = {.wanted = wanted, .length = strlen(wanted)};
    near.most = suggestion_most(near.length);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        suggestion_offer(&near, names[i]);
    }
    ck_assert_str_eq(suggestion_text(&near, "", text), expected);
}

START_TEST(the_nearest_name_is_suggested_and_a_second_that_is_as_near)
{
    assert_suggested("slb", "; did you mean slab?");
    assert_suggested("Pools", "; did you mean pool?");
    assert_suggested("nofree", "; did you mean no-free?");
    assert_suggested("b", "");
    assert_suggested("slol", "; did you mean pool or slab?");
    assert_suggested("elephant", "");
}
END_TEST

START_TEST(the_folder_of_a_killed_suite_is_removed_by_the_next)
{
    char left[TEMPORARY_FOLDER_SIZE], made[TEMPORARY_FOLDER_SIZE], inside[300];
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        temporary_folder_make(left, "base");
        snprintf(inside, sizeof(inside), "%s/.folder", left);
        const bool done = mkdir(inside, 0777) == 0 && symlink(folder, strcat(inside, "/link")) == 0;
        kill(getpid(), done && write(ends[1], left, sizeof(left)) > 0 ? SIGKILL : SIGTERM);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    ck_assert_int_eq(read(ends[0], left, sizeof(left)), sizeof(left));
    ck_assert_int_eq(access(left, F_OK), 0);
    temporary_folder_make(made, "base");
    ck_assert_int_eq(access(left, F_OK), -1);
    ck_assert_int_eq(access(folder, F_OK), 0);
    temporary_folder_remove(made);
    ck_assert_int_eq(access(made, F_OK), -1);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_message_loses_every_control_and_direction_character)
{
    char message[] =
        "a\x1b[31m\n\xc2\x9b\x31mK\xc3\xa4se\xe2\x80\xae\xe2\x81\xa9\xd8\x9c\xff\xe2\x80";
    one_line(message);
    ck_assert_str_eq(message, "a?[31m??1mK\xc3\xa4se???\xff\xe2\x80");
}
END_TEST

int main(void)
{
    return suite_run(
        "base", make_folder, remove_folder,
        (const TTest *[]){
            a_file_is_replaced_only_when_it_is_committed,
            an_abandoned_file_leaves_the_old_one_and_nothing_else,
            a_file_that_cannot_get_its_name_is_gone,
            what_cannot_take_its_place_leaves_nothing_beside_it,
            what_a_killed_process_has_left_is_removed_by_the_next,
            the_temporary_file_of_a_live_process_is_not_touched,
            a_link_is_followed_and_permissions_are_kept, what_is_open_already_is_written_directly,
            a_device_is_written_directly, a_mapping_is_aligned_zeroed_and_as_long_as_asked,
            advice_leaves_what_lies_there_and_needs_one_whole_huge_page,
            an_array_grows_twice_as_large_and_keeps_its_items,
            an_array_that_cannot_grow_stays_as_it_was, splitmix_gives_the_published_numbers,
            the_nearest_name_is_suggested_and_a_second_that_is_as_near,
            the_folder_of_a_killed_suite_is_removed_by_the_next,
            a_message_loses_every_control_and_direction_character,
            a_false_assertion_aborts_in_a_debug_build_only, NULL});
}
