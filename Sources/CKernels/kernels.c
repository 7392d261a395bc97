/* The kernels are all inline: this file is here because a C target needs one. */
#include "kernels.h"
