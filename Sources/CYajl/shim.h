#ifndef SLUICE_CYAJL_SHIM_H
#define SLUICE_CYAJL_SHIM_H

#include <yajl/yajl_parse.h>

/* yajl_config is variadic, which Swift cannot call: one fixed form for the boolean options. */
static inline int sluice_yajl_enable(yajl_handle handle, yajl_option option) {
    return yajl_config(handle, option, 1);
}

#endif
