/* Methods by name: which planners there are, what their keys mean, and settings from text, "astar:k=100". */
#ifndef WEND_PLAN_H
#define WEND_PLAN_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wend_key_kind {
    WEND_KEY_INTEGER = 0, /* a whole number from `min` to `max`; where `unlimited` is set, that word too */
    WEND_KEY_DECIMAL = 1, /* digits with or without a point, no exponent, from `min` to `max` */
    WEND_KEY_PERCENT = 2, /* the same, with or without a % behind it */
    WEND_KEY_YES_NO = 3,
    WEND_KEY_WORD = 4, /* one of `words` */
    WEND_KEY_FILE = 5, /* a file name, not looked at */
    WEND_KEY_SIZE = 6  /* bytes, a whole number from `min` to `max`; K, M or G (of 1024) may follow */
} wend_key_kind;

#define WEND_UNLIMITED INT64_MAX

typedef struct wend_key_info {
    const char *name;
    wend_key_kind kind;
    bool unlimited;           /* integers: the word `unlimited` is a value */
    bool required;            /* there is no default: the text must give it */
    double min, max;          /* of numbers; for integers at most 2^53 */
    const char *const *words; /* of WEND_KEY_WORD, closed by NULL */
    const char *standard;     /* the value where the key is not given; NULL: none */
    const char *help;         /* one line without a full stop */
} wend_key_info;

/* A planner, or a kind of database. */
typedef struct wend_method_info {
    const char *name;
    const char *help; /* one line without a full stop */
    const wend_key_info *keys;
    size_t key_count;
} wend_method_info;

/* All planners, in the order in which they are listed to people. */
WEND_API size_t wend_planner_count(void);
WEND_API const wend_method_info *wend_planner_at(size_t index); /* NULL beyond the last */

/* A method and a value for each of its keys. Never changed, so any number of threads may read it. */
typedef struct wend_settings wend_settings;

/* Of a planner, from NAME[:KEY=VALUE[,KEY=VALUE...]]. A comma inside a value is written "\,"; any other
 * backslash is itself. Keys that are not given get their defaults. WEND_STATUS_BAD_ARGUMENT, with the byte's
 * offset and words that say what would fit, for an unknown planner or key, a repeated or missing key, a
 * missing '=' or a value that is not of the key's kind or out of range. `allocator` may be NULL. The caller
 * destroys them; what is made with them keeps what it needs and does not look at them again. */
WEND_API wend_status wend_settings_parse(const char *text, const wend_allocator *allocator,
                                         wend_settings **settings, wend_error *error);
WEND_API void wend_settings_destroy(wend_settings *settings);                       /* NULL is fine */
WEND_API const wend_method_info *wend_settings_info(const wend_settings *settings); /* NULL of NULL */

/* The values of one key. 0, 0.0 and NULL for a key that the method does not have and for one that has
 * neither a value nor a default.
 *
 * Of integers (WEND_UNLIMITED for the word), sizes in bytes, yes/no (1 or 0) and words (the index in
 * `words`). */
WEND_API int64_t wend_settings_integer(const wend_settings *settings, const char *key);
/* Of numbers; per cents as written: 5 for "5%". The nearest double to what is written, on every machine. */
WEND_API double wend_settings_number(const wend_settings *settings, const char *key);
/* The value as written, "\," undone. Lives as long as `settings` does. */
WEND_API const char *wend_settings_text(const wend_settings *settings, const char *key);
/* Whether the text gave it, be it the default's value. */
WEND_API bool wend_settings_given(const wend_settings *settings, const char *key);

#ifdef __cplusplus
}
#endif
#endif
