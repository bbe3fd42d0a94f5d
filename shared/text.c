#include "shared/text.h"

#include <math.h>
#include <stdio.h>

size_t shared_digits(const char *text, size_t length, uint64_t *value) {
    size_t i = 0;
    *value = 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (*value > (UINT64_MAX - digit) / 10) {
            *value = UINT64_MAX;
            return 0;
        }
        *value = *value * 10 + digit;
    }
    return i;
}

/* Steps -------------------------------------------------------------------------------------------------- */

char shared_step_letter(wend_direction direction) {
    return "01234567w"[direction < WEND_DIRECTIONS ? direction : WEND_NO_DIRECTION];
}

wend_direction shared_step_direction(char letter) {
    return letter >= '0' && letter <= '7' ? (wend_direction)(letter - '0') : WEND_NO_DIRECTION;
}

size_t shared_step_moves(const char *steps, size_t count, wend_direction *moves) {
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        wend_direction direction = shared_step_direction(steps[i]);
        if (direction != WEND_NO_DIRECTION) moves[made++] = direction;
    }
    return made;
}

size_t shared_step_cells(const wend_map *map, wend_cell start, const char *steps, size_t count,
                         wend_cell *cells) {
    size_t made = 0;
    wend_xy at = wend_map_xy(map, start);
    cells[made++] = start;
    for (size_t i = 0; i < count; i++) {
        wend_direction direction = shared_step_direction(steps[i]);
        if (direction == WEND_NO_DIRECTION) continue;
        at.x += wend_direction_dx(direction), at.y += wend_direction_dy(direction);
        cells[made++] = wend_map_cell(map, at.x, at.y);
    }
    return made;
}

/* Quantities --------------------------------------------------------------------------------------------- */

static shared_quantity with_unit(double value, double step, const char *const *units) {
    shared_quantity shown = {"-"};
    if (!isfinite(value)) return shown;
    while (fabs(value) >= 999.5 && units[1]) value /= step, units++;
    int digits = fabs(value) < 9.95 ? 1 : 0;
    (void)snprintf(shown.text, sizeof shown.text, "%.*f%s", digits, value, *units);
    return shown;
}

shared_quantity shared_time(double nanoseconds) {
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    return with_unit(nanoseconds, 1000, units);
}

shared_quantity shared_bytes(double count) {
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB", NULL};
    return with_unit(count, 1024, units);
}

shared_quantity shared_decimal_bytes(double count) {
    static const char *const units[] = {" bytes", " KB", " MB", " GB", " TB", NULL};
    return with_unit(count, 1000, units);
}
