#ifndef SLUICE_CZSTD_SHIM_H
#define SLUICE_CZSTD_SHIM_H

#include <zstd.h>

#endif
