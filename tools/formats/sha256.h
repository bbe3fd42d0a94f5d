/* SHA-256 of files, as `sha256sum` prints it: so that readers of results can tell which map and which problems. */
#ifndef WEND_TOOLS_FORMATS_SHA256_H
#define WEND_TOOLS_FORMATS_SHA256_H

#include <stdbool.h>
#include <stddef.h>

enum { TOOL_SHA256_TEXT = 65 };

/* In hexadecimal digits. */
void tool_sha256(const void *data, size_t size, char text[TOOL_SHA256_TEXT]);
/* False, without a word, if it is no plain file or can't be read. */
bool tool_sha256_file(const char *path, char text[TOOL_SHA256_TEXT]);

#endif
