/*
 * name_fold.c - character by character, with a table of the letters that have an accent.
 */
#include "name_fold.h"
#include "base/macros.h"
#include "base/utf8.h"
#include <stdbool.h>
#include <string.h>

/* The plain letter of each; '.': the character has none. A, O, S and T stand for two letters. */
static const char latin[] = /* U+00C0 to U+024F */
    "aaaaaaAceeeeiiiidnooooo.ouuuuyTSaaaaaaAceeeeiiiidnooooo.ouuuuyTy"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkkllllll."
    ".llnnnnnn.nnooooooOOrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
    ".b...............ff.....kk......oo.............uu..............."
    ".............aaiioouuuuuuuuuu.aaaaAA..ggkkoooo..j...gg..nnaaAAoo"
    "aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............"
    "................";

static const char latin_more[] = /* U+1E00 to U+1EFF */
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    "wwwwwwwwwwxxxxyyzzzzzzhtwy.s..S.aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......";

/* Set code to the folded character. Returns the letter that stands in its place, or '\0'. */
static char plain_letter(uint32_t *code)
{
    const uint32_t c = *code;
    char letter = '\0';
    if (c == ' ' || c == '_' || c == '\t' || c == 0xa0) { /* the last is a space without a break */
        letter = ' ';
    } else if (c >= 0xc0 && c < 0x250) {
        letter = latin[c - 0xc0];
    } else if (c >= 0x1e00 && c < 0x1f00) {
        letter = latin_more[c - 0x1e00];
    } else if (c == 0x2bc || c == 0x2018 || c == 0x2019) {
        letter = '\'';
    } else if (c >= 0x2010 && c <= 0x2015) {
        letter = '-';
    } else if ((c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f)) {
        *code = c + 0x20;
    } else if (c >= 0x400 && c <= 0x40f) {
        *code = c + 0x50;
    }
    return (char)(letter == '.' ? '\0' : letter);
}

/* Append bytes as far as there is room. */
static void append(char *out, size_t size, size_t *used, const char *bytes, size_t length)
{
    if (*used + length <= size) {
        memcpy(out + *used, bytes, length);
        *used += length;
    }
}

size_t name_fold(char *out, size_t size, const char *name, size_t length)
{
    static const struct {
        char letter;
        const char *letters;
    } doubles[] = {{'A', "ae"}, {'O', "oe"}, {'S', "ss"}, {'T', "th"}};
    size_t used = 0;
    bool after_broken = false; /* behind a byte that is not UTF-8 */
    for (size_t i = 0, bytes; i < length && used < size; i += bytes) {
        const unsigned char byte = (unsigned char)name[i];
        if (byte > ' ' && byte < 0x80 && byte != '_') { /* most */
            out[used++] = (char)(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
            after_broken = false;
            bytes = 1;
            continue;
        }
        uint32_t code = 0;
        bytes = utf8_decode(name + i, length - i, &code);
        if (bytes == 0) {
            bytes = 1;
            append(out, size, &used, name + i, 1);
            after_broken = true;
            continue;
        }
        /* An accent goes, but not between broken bytes, which could make a character together. */
        const bool keep = after_broken;
        after_broken = false;
        if (code >= 0x300 && code < 0x370 && !keep) {
            continue;
        }
        const uint32_t before = code;
        const char letter = plain_letter(&code);
        if (letter == ' ') {
            if (used > 0 && out[used - 1] != ' ') {
                append(out, size, &used, " ", 1);
            }
        } else if (letter >= 'A' && letter <= 'Z') {
            for (size_t k = 0; k < COUNT_OF(doubles); k++) {
                if (doubles[k].letter == letter) {
                    append(out, size, &used, doubles[k].letters, 2);
                }
            }
        } else if (letter != '\0') {
            append(out, size, &used, &letter, 1);
        } else if (code != before) { /* below U+0800, where the other alphabets are */
            const char two[] = {(char)(0xc0 | code >> 6), (char)(0x80 | (code & 0x3f))};
            append(out, size, &used, two, sizeof(two));
        } else {
            append(out, size, &used, name + i, bytes);
        }
    }
    return used > 0 && out[used - 1] == ' ' ? used - 1 : used;
}
