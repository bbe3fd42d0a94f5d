/* Settings, and their parser. It works on any table: planners, kinds of databases, and tables of tests. */
#ifndef WEND_BASE_SETTINGS_H
#define WEND_BASE_SETTINGS_H

#include <wend/plan.h>

typedef struct wend_setting {
    int64_t integer;
    double number;
    size_t text; /* where in the block of the settings the value stands; 0: it is the table's default */
    bool given;
} wend_setting;

/* One block of memory without pointers into itself. */
struct wend_settings {
    const wend_method_info *info;
    const struct wend_planner *planner; /* whose settings these are; NULL: not a planner's */
    wend_allocator allocator;
    size_t bytes;          /* of the block */
    wend_setting values[]; /* one per key; behind them the texts of those that were given */
};

/* `what` is what the table holds, for messages: "planner". */
wend_status wend_settings_parse_in(const char *what, const wend_method_info *const *methods, size_t count,
                                   const char *text, const wend_allocator *allocator,
                                   wend_settings **settings, wend_error *error);
/* Whether a method's name, help and keys are well formed, so that settings can be parsed by them. */
wend_status wend_method_check(const wend_method_info *info, wend_error *error);
wend_status wend_settings_copy(const wend_settings *settings, const wend_allocator *allocator,
                               wend_settings **copy, wend_error *error);

/* The settings as NAME[:KEY=VALUE[,KEY=VALUE...]] with every key that has a value, in the table's order and
 * in one form: two texts that mean the same give the same. False if it does not fit into `size` bytes. */
bool wend_settings_write(const wend_settings *settings, char *text, size_t size);

#endif
