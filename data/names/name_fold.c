/*
 * name_fold.c - folds eight letters at once if they are ASCII, else character by character, with a
 * table of accented letters.
 */
#include "name_fold.h"
#include "base/utf8.h"
#include <endian.h>
#include <stdbool.h>
#include <string.h>

/* The plain letter for each; '.': the character has no plain letter. A, O, S and T mean two
 * letters. */
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

/* Write the replacement of a character to out. Returns its length; 0: the character stays. */
static size_t fold_character(uint32_t c, char out[2])
{
    char letter = '.';
    if (c == ' ' || c == '_' || c == '\t' || c == 0xa0) { /* the last is a no-break space */
        letter = ' ';
    } else if (c >= 0xc0 && c < 0x250) {
        letter = latin[c - 0xc0];
    } else if (c >= 0x1e00 && c < 0x1f00) {
        letter = latin_more[c - 0x1e00];
    } else if (c == 0x2bc || c == 0x2018 || c == 0x2019) {
        letter = '\'';
    } else if (c >= 0x2010 && c <= 0x2015) {
        letter = '-';
    } else if ((c >= 0x391 && c <= 0x3a9) || (c >= 0x400 && c <= 0x42f)) {
        c += c >= 0x400 && c <= 0x40f ? 0x50 : 0x20;
        out[0] = (char)(0xc0 | c >> 6); /* two bytes, as everything below U+0800 has */
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (letter >= 'A' && letter <= 'Z') {
        memcpy(out, strchr("Aae Ooe Sss Tth", letter) + 1, 2);
        return 2;
    }
    out[0] = letter;
    return letter != '.';
}

/*
 * Fold eight bytes as if all were ASCII, if the first is neither a space nor an underscore. Returns
 * how many are right. It stops at the first that is not ASCII, a control character, an underscore,
 * or a space after a space.
 */
static size_t fold_eight(char *out, const char *name)
{
    const uint64_t each = UINT64_C(0x0101010101010101), tops = each * 0x80;
    uint64_t word;
    memcpy(&word, name, sizeof(word));
    word = le64toh(word);              /* the first byte is in the lowest bits */
    const uint64_t low = word & ~tops; /* so that no sum reaches the next byte */
    const uint64_t not_spaces = (low ^ each * ' ') + each * 0x7f;
    const uint64_t plain = (low + each * (0x80 - ' ')) & ((low ^ each * '_') + each * 0x7f) &
                           (not_spaces | not_spaces << 8) & ~word & tops;
    const uint64_t capital = (low + each * (0x80 - 'A')) & ~(low + each * (0x80 - 'Z' - 1)) & tops;
    word = htole64(word | capital >> 2); /* 0x20 */
    memcpy(out, &word, sizeof(word));
    return plain == tops ? sizeof(word) : (size_t)__builtin_ctzll(plain ^ tops) / 8;
}

size_t name_fold(char *out, size_t size, const char *name, size_t length)
{
    size_t used = 0;
    bool after_broken = false; /* the byte before is not UTF-8 */
    for (size_t i = 0, bytes; i < length && used < size; i += bytes) {
        const unsigned char byte = (unsigned char)name[i];
        if (byte > ' ' && byte < 0x80 && byte != '_') { /* most */
            after_broken = false;
            bytes = 1;
            if (i + 8 <= length && used + 8 <= size) {
                bytes = fold_eight(out + used, name + i);
            } else {
                out[used] = (char)(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
            }
            used += bytes;
            continue;
        }
        char small[2];
        uint32_t code = 0;
        bytes = utf8_decode(name + i, length - i, &code);
        const bool is_broken = bytes == 0;
        if (is_broken) {
            bytes = 1;
            code = 0;
        }
        /* Drop an accent, but not between broken bytes: joined, they could be a character. */
        const bool keep = after_broken;
        after_broken = is_broken;
        if (code >= 0x300 && code < 0x370 && !keep) {
            continue;
        }
        const char *put = small;
        size_t count = fold_character(code, small);
        if (count == 0) {
            put = name + i;
            count = bytes;
        }
        if (used + count <= size && (*put != ' ' || (used > 0 && out[used - 1] != ' '))) {
            memcpy(out + used, put, count);
            used += count;
        }
    }
    return used > 0 && out[used - 1] == ' ' ? used - 1 : used;
}
