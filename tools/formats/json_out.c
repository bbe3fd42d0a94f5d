#include "formats/json_out.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

int tool_utf8_bytes(const unsigned char *text) {
    static const struct {
        uint8_t mask, lead, bytes;
        uint32_t least;
    } forms[] = {{0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
    if (*text < 0x80) return 1;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if ((*text & forms[i].mask) != forms[i].lead) continue;
        uint32_t point = *text & (uint32_t)~forms[i].mask & 0xff;
        for (int j = 1; j < forms[i].bytes; j++) {
            if ((text[j] & 0xc0) != 0x80) return 0; /* the closing NUL stops here too */
            point = point << 6 | (text[j] & 0x3f);
        }
        bool good = point >= forms[i].least && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
        return good ? forms[i].bytes : 0;
    }
    return 0;
}

void tool_json_string(FILE *file, const char *text) {
    (void)fputc('"', file);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        int bytes = tool_utf8_bytes(p);
        if (bytes == 0) {
            (void)fputs("\\ufffd", file);
            bytes = 1;
        } else if (*p == '"' || *p == '\\') {
            (void)fprintf(file, "\\%c", *p);
        } else if (*p < 0x20 || *p == 0x7f) {
            (void)fprintf(file, "\\u%04x", (unsigned)*p);
        } else {
            (void)fwrite(p, 1, (size_t)bytes, file);
        }
        p += bytes;
    }
    (void)fputc('"', file);
}

void tool_json_number(FILE *file, double number) {
    if (!isfinite(number)) {
        (void)fputs("null", file);
        return;
    }
    if (number != 0 && (fabs(number) < 1e-4 || fabs(number) >= 1e15)) {
        (void)fprintf(file, "%.9g", number); /* an exponent is JSON too */
        return;
    }
    char text[64];
    int size = snprintf(text, sizeof text, "%.6f", number);
    while (size > 2 && text[size - 1] == '0' && text[size - 2] != '.') text[--size] = 0;
    (void)fputs(text, file);
}
