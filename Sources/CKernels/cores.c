#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#endif

#include <unistd.h>

#include "cores.h"

int sluice_core_count(void) {
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? (int)online : 1;
}
