/// @file
/// Methods by name: which planners there are, what their keys mean, and settings from text, "astar:k=100".
#ifndef WEND_PLAN_H
#define WEND_PLAN_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the value of a key can be.
typedef enum wend_key_kind {
    /// A whole number from `min` to `max`; where `unlimited` is set, that word too.
    WEND_KEY_INTEGER = 0,
    /// Digits with or without a point, no exponent, from `min` to `max`.
    WEND_KEY_DECIMAL = 1,
    /// The same, with or without a % behind it.
    WEND_KEY_PERCENT = 2,
    /// `yes` or `no`.
    WEND_KEY_YES_NO = 3,
    /// One of `words`.
    WEND_KEY_WORD = 4,
    /// A file name, not looked at.
    WEND_KEY_FILE = 5,
    /// Bytes, a whole number from `min` to `max`; K, M or G (of 1024) may follow.
    WEND_KEY_SIZE = 6
} wend_key_kind;

/// The value of the word `unlimited`.
#define WEND_UNLIMITED INT64_MAX

/// A key of a method.
typedef struct wend_key_info {
    /// Small letters, digits and '-'.
    const char *name;
    /// What its value can be.
    wend_key_kind kind;
    /// Integers: whether the word `unlimited` is a value.
    bool unlimited;
    /// There is no default: the text must give it. Except `db` of a planner: a database in the agent's options
    /// does as well.
    bool required;
    /// The least number.
    double min;
    /// The largest number; for integers at most 2^53.
    double max;
    /// Of WEND_KEY_WORD, closed by NULL.
    const char *const *words;
    /// The value where the key is not given; NULL: none.
    const char *standard;
    /// One line without a full stop.
    const char *help;
} wend_key_info;

/// A planner, or a kind of database.
typedef struct wend_method_info {
    /// Small letters, digits and '-'.
    const char *name;
    /// One line without a full stop.
    const char *help;
    /// Its keys.
    const wend_key_info *keys;
    /// How many.
    size_t key_count;
} wend_method_info;

/// How many planners there are.
WEND_API size_t wend_planner_count(void);
/// A planner, in the order in which they are listed to people; NULL beyond the last.
WEND_API const wend_method_info *wend_planner_at(size_t index);

/// A method and a value for each of its keys. Never changed: any number of threads may read it. What is made
/// with settings keeps what it needs of them.
///
/// 1. wend_settings_parse("tba:k=200", NULL, &settings, &error)
/// 2. wend_agent_create(world, settings, ...), wend_fleet_add_squad(fleet, settings, ...)
/// 3. wend_settings_destroy(settings), at any time after that.
typedef struct wend_settings wend_settings;

/// Reads the settings of a planner. Keys that are not given get their defaults. WEND_STATUS_BAD_ARGUMENT, with
/// the byte's offset and words that say what would fit, for an unknown planner or key, a repeated or missing
/// key, a missing '=', or a value that is not of the key's kind or out of range.
/// @param text  NAME[:KEY=VALUE[,KEY=VALUE...]]. A comma inside a value is written "\,"; any other backslash
///     is itself.
/// @param allocator  NULL: the C library's.
WEND_API wend_status wend_settings_parse(const char *text, const wend_allocator *allocator,
                                         wend_settings **settings, wend_error *error);
/// Frees settings. NULL is fine.
WEND_API void wend_settings_destroy(wend_settings *settings);
/// The method of the settings; NULL of NULL.
WEND_API const wend_method_info *wend_settings_info(const wend_settings *settings);

/// The value of a key that is an integer (WEND_UNLIMITED for the word), a size in bytes, yes/no (1 or 0) or a
/// word (the index in `words`). 0 for a key that the method does not have, or that has no value.
WEND_API int64_t wend_settings_integer(const wend_settings *settings, const char *key);
/// The value of a key that is a number, per cents as written: 5 for "5%". The nearest double, on every
/// machine. 0 for a key that the method does not have, or that has no value.
WEND_API double wend_settings_number(const wend_settings *settings, const char *key);
/// The value as written, "\," undone. Lives as long as `settings`. NULL for a key that the method does not
/// have, or that has no value.
WEND_API const char *wend_settings_text(const wend_settings *settings, const char *key);
/// Whether the text gave it, even with the default's value.
WEND_API bool wend_settings_given(const wend_settings *settings, const char *key);

#ifdef __cplusplus
}
#endif
#endif
