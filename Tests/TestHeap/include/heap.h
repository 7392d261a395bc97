#ifndef SLUICE_HEAP_H
#define SLUICE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this process counts allocations. */
bool sluice_counts_allocations(void);

/* Returns the number of allocations of the current thread so far. */
uint64_t sluice_allocation_count(void);

/* Whether this process can guard allocations: 256 GB of addresses can be reserved. */
bool sluice_guards_allocations(void);

/* Begins to guard the allocations of the current thread that have at least a number of bytes. The memory of each, rounded up to 16 bytes, ends
   directly before a page that can neither be read nor written. Released memory cannot be read or written either, and its addresses are not
   used again. */
void sluice_begin_guards(size_t minimum_size);

/* Ends what `sluice_begin_guards` began. */
void sluice_end_guards(void);

#endif
