/* The portable functions in C with any arguments that their callers pass, for Eva of Frama-C: see Tests/Proofs/README.md. */

#include <__fc_builtin.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

#define block_size lines_block_size
#include "../../Sources/CKernels/lines.c"
#undef block_size
#include "../../Sources/CKernels/structure.c"

enum { longest = 260 };

static uint64_t any_word(void) {
    return Frama_C_unsigned_long_long_interval(0, UINT64_MAX);
}

static void any_bytes(uint8_t *bytes, size_t count) { Frama_C_make_unknown((char *)bytes, count); }

void check_hex_unit(void) {
    uint8_t digits[4];
    any_bytes(digits, sizeof digits);
    int32_t unit = sluice_hex_unit(digits);
    //@ check unit <= 0xFFFF;
}

void check_line_feeds(void) {
    uint8_t text[longest];
    any_bytes(text, sizeof text);
    for (size_t count = 0; count <= longest; count++) {
        size_t feeds = plain_line_feeds(text + longest - count, count);
        //@ check feeds <= count;
    }
}

void check_escaped_bytes(void) {
    bool is_escaped = Frama_C_interval(0, 1);
    size_t count = Frama_C_unsigned_long_long_interval(1, 64);
    escaped_bytes(any_word(), count, &is_escaped);
}

void check_advance_block(void) {
    struct sluice_structure structure = {
        .depth = Frama_C_long_long_interval(-(1LL << 60), 1LL << 60), .is_in_string = Frama_C_interval(0, 1),
        .is_escaped = Frama_C_interval(0, 1)};
    struct masks block = {any_word(), any_word(), any_word(), any_word()};
    bool stops = false;
    advance_block(
        &structure, block, Frama_C_unsigned_long_long_interval(1, 64), Frama_C_interval(0, 1), &stops);
}

void check_others(void) {
    check_hex_unit();
    check_escaped_bytes();
    check_advance_block();
}
