#ifndef SLUICE_CORES_H
#define SLUICE_CORES_H

// Returns the number of cores on which the threads of this process may run, at least 1.
int sluice_core_count(void);

#endif
