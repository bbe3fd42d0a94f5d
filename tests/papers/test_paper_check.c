/* Checks of papers: when a claim holds, fails and is not decided, and the intervals behind that. */
#include "common/check.h"
#include "shared/scenes.h"
#include "support/check.h"

enum { MAPS = 8, EACH = 40, ALL = MAPS * EACH };

static tool_report_verdict judged(tool_report_check claim, double low, double high) {
    return tool_paper_judge(claim, (shared_estimate){(low + high) / 2, low, high}).verdict;
}

static void a_claim_holds_only_where_its_interval_does(void) {
    static const struct {
        double low, high;
        tool_report_verdict above, at_least, at_most, near;
    } cases[] = {
        /* Against 0; at least and at most with a tolerance of 1; near 0 likewise. */
        {-3.66, 13.6, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED,
         TOOL_REPORT_NOT_DECIDED},
        {0.1, 5, TOOL_REPORT_PASS, TOOL_REPORT_PASS, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED},
        {-5, -2, TOOL_REPORT_FAIL, TOOL_REPORT_FAIL, TOOL_REPORT_PASS, TOOL_REPORT_FAIL},
        {-0.5, 0.5, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_PASS, TOOL_REPORT_PASS, TOOL_REPORT_PASS},
        {2, 3, TOOL_REPORT_PASS, TOOL_REPORT_PASS, TOOL_REPORT_FAIL, TOOL_REPORT_FAIL},
        {0, 0, TOOL_REPORT_FAIL, TOOL_REPORT_PASS, TOOL_REPORT_PASS, TOOL_REPORT_PASS},
        {0, 4, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_PASS, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED},
        {-1, 1, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_PASS, TOOL_REPORT_PASS, TOOL_REPORT_PASS},
        {-INFINITY, INFINITY, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED,
         TOOL_REPORT_NOT_DECIDED},
        {NAN, NAN, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED, TOOL_REPORT_NOT_DECIDED,
         TOOL_REPORT_NOT_DECIDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double low = cases[i].low, high = cases[i].high;
        CHECK_THAT(judged(tool_paper_above(0), low, high) == cases[i].above, "%zu", i);
        CHECK_THAT(judged(tool_paper_at_least(0, 1), low, high) == cases[i].at_least, "%zu", i);
        CHECK_THAT(judged(tool_paper_at_most(0, 1), low, high) == cases[i].at_most, "%zu", i);
        CHECK_THAT(judged(tool_paper_near(0, 1), low, high) == cases[i].near, "%zu", i);
        test_case();
    }
    CHECK(tool_paper_compare(false, tool_paper_above(0), shared_exact(1)).verdict ==
          TOOL_REPORT_NOT_COMPARABLE);
    test_case();
}

static void the_weakest_decides(void) {
    const tool_report_check sure = tool_paper_judge(tool_paper_above(0), shared_exact(9)),
                            bare = tool_paper_judge(tool_paper_above(0), shared_exact(1)),
                            unsure = tool_paper_judge(tool_paper_above(0), (shared_estimate){1, -1, 3}),
                            wrong = tool_paper_judge(tool_paper_above(0), shared_exact(-1));
    const tool_report_check all[] = {sure, bare, unsure, wrong}, two[] = {unsure, sure, bare},
                            good[] = {sure, bare, sure};
    CHECK(tool_paper_weakest(all, 4) == 3);
    CHECK(tool_paper_weakest(two, 3) == 0);
    CHECK(tool_paper_weakest(good, 3) == 1);
    test_case();
}

/* Values with no pattern: 0 to 99. */
static void draw_values(uint64_t seed, double *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] = shared_draw(&seed, 100);
}

static double width(shared_estimate estimate) {
    return estimate.high - estimate.low;
}

static void intervals_follow_what_varies(void) {
    static double x[ALL], y[ALL];
    draw_values(1, x, ALL);
    for (size_t i = 0; i < ALL; i++) y[i] = x[i] + 3;
    shared_sample alone = {x, NULL, MAPS, EACH, false, 1}, paired = {y, x, MAPS, EACH, true, 1};
    shared_estimate mean = shared_bootstrap(&alone, SHARED_MEAN_OF),
                    same = shared_bootstrap(&alone, SHARED_MEAN_OF);
    /* The normal approximation of the same: 1.96 times 28.9 / sqrt(320) to each side. */
    CHECK_THAT(fabs(width(mean) - 6.33) < 0.6, "%g", width(mean));
    CHECK(mean.low < mean.value && mean.value < mean.high);
    CHECK(mean.low == same.low && mean.high == same.high);
    alone.seed = 2;
    CHECK(shared_bootstrap(&alone, SHARED_MEAN_OF).low != mean.low);
    /* What is the same in every problem has no width where problems stay together. */
    mean = shared_bootstrap(&paired, SHARED_MEAN_OF);
    CHECK(fabs(mean.value - 3) < 1e-9 && width(mean) < 1e-9);
    shared_estimate median = shared_bootstrap(&paired, SHARED_MEDIAN_OF);
    CHECK(fabs(median.value - 3) < 1e-9 && width(median) < 1e-9);
    for (size_t i = 0; i < ALL; i++) y[i] = 2 * x[i];
    shared_estimate ratio = shared_bootstrap(&paired, SHARED_RATIO_OF);
    CHECK(fabs(ratio.value - 2) < 1e-9 && width(ratio) < 1e-9);
    test_case();
    /* Where maps differ and are drawn themselves, the interval is wider than that of the same problems on maps
     * that are the paper's own. */
    for (size_t i = 0; i < ALL; i++) x[i] += 100 * (double)(i / EACH);
    alone.stand_ins = true;
    double drawn = width(shared_bootstrap(&alone, SHARED_MEAN_OF));
    alone.stand_ins = false;
    CHECK_THAT(drawn > 10 * width(shared_bootstrap(&alone, SHARED_MEAN_OF)), "%g", drawn);
    test_case();
}

static void too_few_say_nothing(void) {
    static const double x[] = {1, 2, 3, 4}, none[] = {NAN, NAN, 5, NAN};
    shared_sample sample = {x, NULL, 4, 1, false, 1};
    shared_estimate mean = shared_bootstrap(&sample, SHARED_MEAN_OF);
    CHECK(mean.value == 2.5 && isinf(mean.low) && isinf(mean.high));
    sample.stand_ins = true; /* four maps, one problem each */
    mean = shared_bootstrap(&sample, SHARED_MEAN_OF);
    CHECK(mean.low >= 1 && mean.high <= 4 && mean.low < mean.high);
    sample.x = none; /* a problem without a value does not count; a sample of such has no mean */
    mean = shared_bootstrap(&sample, SHARED_MEAN_OF);
    CHECK(mean.value == 5 && isinf(mean.high));
    test_case();
}

/* Two planners of the same quality, whose difference is chance: a claim about them must seldom pass. Testing the
 * mean alone passes half of the time. */
static void chance_is_not_a_result(void) {
    size_t passed = 0, above = 0, rounds = test_some(100);
    for (size_t round = 0; round < rounds; round++) {
        static double x[ALL], y[ALL];
        draw_values(2 * round + 7, x, ALL);
        draw_values(2 * round + 8, y, ALL);
        const shared_sample sample = {x, y, MAPS, EACH, true, round};
        tool_report_check check =
            tool_paper_judge(tool_paper_above(0), shared_bootstrap(&sample, SHARED_MEAN_OF));
        passed += check.verdict == TOOL_REPORT_PASS, above += check.value > 0;
        test_case();
    }
    CHECK_THAT(20 * passed <= 2 * rounds && 4 * above > rounds, "%zu and %zu of %zu", passed, above, rounds);
}

static const test tests[] = {
    {"a claim holds only where its interval does", a_claim_holds_only_where_its_interval_does},
    {"the weakest decides", the_weakest_decides},
    {"intervals follow what varies", intervals_follow_what_varies},
    {"too few say nothing", too_few_say_nothing},
    {"chance is not a result", chance_is_not_a_result},
};

TEST_MAIN(tests)
