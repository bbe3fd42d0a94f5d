/* The commit that the tools were built from: this file alone is compiled again when it changes. */
#include "cli/tool.h"

#include "commit.h"

const char *tool_commit(void) {
    return TOOL_COMMIT;
}
