#ifndef SLUICE_CZLIB_SHIM_H
#define SLUICE_CZLIB_SHIM_H

#include <zlib.h>

/* Swift cannot call the macros that begin a stream. 15 is the largest window, and 16 selects gzip. */
static inline int sluice_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

static inline int sluice_deflate_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
