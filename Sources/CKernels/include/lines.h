#ifndef SLUICE_LINES_H
#define SLUICE_LINES_H

#include <stddef.h>
#include <stdint.h>

/* Returns the number of line feeds in text. */
size_t sluice_line_feeds(const uint8_t *_Nonnull text, size_t count);

#endif
