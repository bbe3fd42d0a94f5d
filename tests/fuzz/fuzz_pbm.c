/* Any bytes as a portable bit map. */
#define FORMAT WEND_FORMAT_PBM
#include "format.inc"
