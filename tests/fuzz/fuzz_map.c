/* Any bytes as a .map file. */
#define FORMAT WEND_FORMAT_MAP
#include "format.inc"
