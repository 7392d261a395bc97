/* All kernels are inline. This file exists because a C target requires a source file. */
#include "kernels.h"
