/* Assertions, in two tiers. They catch mistakes of wend itself: a bad file or argument gets a status instead.
 *
 *     WEND_ASSERT(x)     cheap; in debug builds (without NDEBUG)
 *     WEND_VALIDATE(x)   looks at a whole structure; where CMake's option WEND_VALIDATE is on, which defines
 *                        WEND_VALIDATING. The functions that it calls, wend_NOUN_is_sound, exist only there.
 *
 * Elsewhere nothing is evaluated, and release code is what it would be without them. */
#ifndef WEND_BASE_ASSERT_H
#define WEND_BASE_ASSERT_H

#if !defined(NDEBUG) || defined(WEND_VALIDATING)
#define WEND_ASSERTING
/* Prints the expression on stderr and aborts. A test may define its own; then the library's is not linked. */
_Noreturn void wend_assert_failed(const char *condition, const char *file, int line);
#define WEND_CHECKED(condition) ((condition) ? (void)0 : wend_assert_failed(#condition, __FILE__, __LINE__))
#endif

#ifdef WEND_ASSERTING
#define WEND_ASSERT(condition) WEND_CHECKED(condition)
#else
#define WEND_ASSERT(condition) ((void)sizeof(!(condition))) /* its names count as used */
#endif

#ifdef WEND_VALIDATING
#define WEND_VALIDATE(condition) WEND_CHECKED(condition)
#else
#define WEND_VALIDATE(condition) ((void)0)
#endif

#endif
