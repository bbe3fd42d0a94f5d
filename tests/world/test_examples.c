/* The programs in examples: each ends well only if it has shown what it is there for. */
#include "support/check.h"

int path_example(void), doors_example(void), chase_example(void);
int towers_example(void), fog_example(void), loop_example(void);

/* NOLINTBEGIN(bugprone-suspicious-include) */
#define main path_example
#include "../examples/path.c"
#undef main
#define main doors_example
#include "../examples/doors.c"
#undef main
#define main chase_example
#include "../examples/chase.c"
#undef main
#define main towers_example
#include "../examples/towers.c"
#undef main
#define main fog_example
#include "../examples/fog.c"
#undef main
#define main loop_example
#include "../examples/loop.c"
#undef main
/* NOLINTEND(bugprone-suspicious-include) */

static void all_of_them(void) {
    static int (*const examples[])(void) = {path_example,   doors_example, chase_example,
                                            towers_example, fog_example,   loop_example};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        CHECK_THAT(examples[i]() == 0, "example %u of the list above", (unsigned)i);
        test_case();
    }
}

static const test tests[] = {{"all_of_them", all_of_them}};
TEST_MAIN(tests)
