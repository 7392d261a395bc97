#ifndef SLUICE_CYAJL_SHIM_H
#define SLUICE_CYAJL_SHIM_H

#include <string.h>
#include <yajl/yajl_parse.h>

/* yajl_config is variadic, which Swift cannot call: one fixed form for the boolean options. */
static inline int sluice_yajl_enable(yajl_handle handle, yajl_option option) {
    return yajl_config(handle, option, 1);
}

/* The offset of the first `byte`, or `count`: the C library's search goes by vectors. */
static inline size_t sluice_find_byte(const unsigned char *bytes, int byte, size_t count) {
    const void *found = count == 0 ? NULL : memchr(bytes, byte, count);
    return found ? (size_t)((const unsigned char *)found - bytes) : count;
}

#endif
