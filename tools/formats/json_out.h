/* Values of JSON on a stream. Whatever comes in, what goes out is valid: UTF-8, no control characters, no
 * infinities. */
#ifndef WEND_TOOLS_FORMATS_JSON_OUT_H
#define WEND_TOOLS_FORMATS_JSON_OUT_H

#include <stdio.h>

/* The bytes of the UTF-8 sequence at `text`, or 0 if it is none (overlong, a surrogate, beyond U+10FFFF). */
int tool_utf8_bytes(const unsigned char *text);

/* In quotes, escaped; bytes that are not UTF-8 become U+FFFD. */
void tool_json_string(FILE *file, const char *text);

/* With a point and at most six digits behind it, at least one; null for what is no number. A number that is
 * not zero is never written as 0.0. */
void tool_json_number(FILE *file, double number);

#endif
