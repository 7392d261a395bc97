#ifndef SLUICE_ALLOCATIONS_H
#define SLUICE_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this process counts allocations. */
bool sluice_counts_allocations(void);

/* Returns the number of allocations of the current thread so far. */
uint64_t sluice_allocation_count(void);

#endif
