/* Numbers, moves and quantities as text. */
#ifndef WEND_SHARED_TEXT_H
#define WEND_SHARED_TEXT_H

#include <wend/map.h>

/* Reads the digits at the beginning of [text, text + length) and returns how many there are; 0 also where they
 * are more than 64 bits hold: `value` is UINT64_MAX then. No blanks, no signs. */
size_t shared_digits(const char *text, size_t length, uint64_t *value);

/* A step is a letter: a direction's digit, or w for a wait. */
char shared_step_letter(wend_direction direction); /* WEND_NO_DIRECTION: w */
wend_direction shared_step_direction(char letter); /* WEND_NO_DIRECTION for anything but 0 to 7 */
/* The moves among `count` letters; returns how many. `moves` may be `steps` itself. */
size_t shared_step_moves(const char *steps, size_t count, wend_direction *moves);
/* The cells that these lead to, `start` first; returns how many, at most count + 1. By coordinates: where the
 * map has changed since, a move of then need not be legal now. */
size_t shared_step_cells(const wend_map *map, wend_cell start, const char *steps, size_t count,
                         wend_cell *cells);

/* A quantity for people, with a digit behind the point below ten: "3.4ms", "120KB"; "-" for what is no number. */
typedef struct shared_quantity {
    char text[32];
} shared_quantity;
shared_quantity shared_time(double nanoseconds);
shared_quantity shared_bytes(double count);         /* a KB is 1,024 bytes */
shared_quantity shared_decimal_bytes(double count); /* "3.4 MB"; a KB is 1,000 bytes */

#endif
