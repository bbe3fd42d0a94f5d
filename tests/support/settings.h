/* Settings that tests need not destroy: they are kept until the program ends. */
#ifndef TEST_SETTINGS_H
#define TEST_SETTINGS_H

#include <wend/db.h>

/* As wend_settings_parse (with the planners of support/agents/own.h) and wend_db_settings_parse; the same text gives
 * the same settings again. */
wend_status test_settings_parse(const char *text, const wend_settings **settings, wend_error *error);
wend_status test_db_settings_parse(const char *text, const wend_settings **settings, wend_error *error);
/* Takes settings over and returns them. Ends the program if there is no memory. */
const wend_settings *test_settings_keep(wend_settings *settings);

#endif
