#include "grid/text.h"

#include <stdio.h>
#include <string.h>

bool wend_is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool wend_is_all_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!wend_is_blank(text[i])) return false;
    return true;
}

bool wend_text_line(wend_text *text, wend_line *line) {
    if (text->at >= text->size) return false;
    const char *begin = text->data + text->at;
    size_t left = text->size - text->at;
    const char *end = memchr(begin, '\n', left);
    size_t length = end ? (size_t)(end - begin) : left;
    *line = (wend_line){begin, length, text->at, ++text->line, end != NULL};
    text->at += length + (end ? 1 : 0);
    while (line->length && wend_is_blank(begin[line->length - 1])) line->length--;
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool wend_text_number(const char *text, size_t length, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i])) return false;
        uint64_t digit = (uint64_t)(text[i] - '0');
        *value = *value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *value * 10 + digit;
    }
    return length > 0;
}

/* Powers of ten that a double holds exactly. */
static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* digits * 10^exponent. */
static double scaled(uint64_t digits, int64_t exponent) {
    if (!digits) return 0;
    if (digits >> 53 && exponent < 0 && exponent >= -18) {
        /* Too many digits for a double: the parts before and behind the point each fit better. */
        uint64_t power = 1;
        for (int64_t i = exponent; i < 0; i++) power *= 10;
        uint64_t whole = digits / power, rest = digits % power;
        return (double)whole + (double)rest / (double)power;
    }
    double value = (double)digits;
    /* 19 digits and an exponent beyond these are zero or infinite anyway. */
    if (exponent < -400) exponent = -400;
    if (exponent > 400) exponent = 400;
    for (; exponent > 22; exponent -= 22) value *= tens[22];
    for (; exponent < -22; exponent += 22) value /= tens[22];
    return exponent < 0 ? value / tens[-exponent] : value * tens[exponent];
}

bool wend_text_decimal(const char *text, size_t length, double *value, size_t *decimals) {
    size_t at = 0, seen = 0;
    bool negative = length > 0 && text[0] == '-', behind_point = false;
    uint64_t digits = 0;
    int64_t exponent = 0;
    *decimals = 0;
    for (at = negative; at < length && (is_digit(text[at]) || (text[at] == '.' && !behind_point)); at++) {
        if (text[at] == '.') {
            behind_point = true;
            continue;
        }
        seen++;
        if (behind_point) ++*decimals;
        if (digits < UINT64_MAX / 10 - 1) { /* 18 digits at least; later ones only move the point */
            digits = digits * 10 + (uint64_t)(text[at] - '0');
            if (behind_point) exponent--;
        } else if (!behind_point) {
            exponent++;
        }
    }
    if (!seen) return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        bool down = ++at < length && text[at] == '-';
        if (at < length && (text[at] == '-' || text[at] == '+')) at++;
        uint64_t power;
        if (!wend_text_number(text + at, length - at, &power)) return false;
        if (power > INT32_MAX) power = INT32_MAX;
        exponent += down ? -(int64_t)power : (int64_t)power;
        at = length;
    }
    *value = negative ? -scaled(digits, exponent) : scaled(digits, exponent);
    return at == length;
}

const char *wend_text_show(const char *text, size_t length, char buffer[WEND_SHOWN_SIZE]) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        bool visible = text[i] >= ' ' && text[i] <= '~';
        if (used + (visible ? 1 : 4) + 4 > WEND_SHOWN_SIZE) { /* room for ... and the final 0 */
            memcpy(buffer + used, "...", 3);
            used += 3;
            break;
        }
        if (visible)
            buffer[used++] = text[i];
        else
            used += (size_t)snprintf(buffer + used, 5, "\\x%02x", (unsigned)(unsigned char)text[i]);
    }
    buffer[used] = 0;
    return buffer;
}
