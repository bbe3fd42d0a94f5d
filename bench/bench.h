/* Micro-benchmarks of hot paths: `make bench`. Every figure is the best of five runs, beside a calibration
 * loop that was timed in the same program, since a machine's speed may differ from hour to hour. */
#ifndef WEND_BENCH_H
#define WEND_BENCH_H

#include <wend/wend.h>

double bench_seconds(void);

/* Prints one row: what, the figure with its unit, the figure to reach (a ceiling, or a floor), and
 * calibrated: the figure in units of the calibration loop's time for one round. */
typedef enum bench_goal { BENCH_AT_MOST, BENCH_AT_LEAST, BENCH_FYI } bench_goal;
void bench_row(const char *what, double figure, const char *unit, bench_goal goal, double target);

const char *bench_shared_folder(void); /* which may not be there */
/* A map by its place among the shared maps ("dao/orz103d"), with its scenario; where those are not there, a
 * generated one of about the same size, and the row says so. `scenario` may be NULL. */
wend_map *bench_map(const char *name, wend_scenario **scenario);
/* The name to print: with "generated, like" in front where it is a stand-in. */
const char *bench_map_name(const char *name, char *buffer, size_t size);

/* A* over BENCH_PROBLEMS problems spread over a scenario; returns the expansions. */
enum { BENCH_PROBLEMS = 200 };
uint64_t bench_astar(wend_search *search, const wend_map *map, const wend_scenario *scenario);
const wend_problem *bench_problem(const wend_scenario *scenario, size_t index); /* of those */

/* Says what went wrong and exits, if anything did. */
void bench_check(wend_status status, const wend_error *error);

/* The best time of five runs of `run`. */
double bench_best(void (*run)(void *context), void *context);

/* Databases and agents: bench/db/database.c.
 * The database KIND[:KEY=VALUE...] of a map, and the seconds it took to build, once: they are many. Two
 * threads where the figures to reach are those of two cores. Its file is gone already. */
wend_db *bench_database(const wend_map *map, const char *text, int threads, double *seconds);
void bench_start(wend_agent *agent, const wend_map *map, const wend_problem *problem);
/* In microseconds, over the first problems of a scenario; a step's time is the least of five runs of it. */
double bench_longest_step(wend_agent *agent, const wend_map *map, const wend_scenario *scenario,
                          size_t problems);

void bench_search(void);  /* bench/search/search.c */
void bench_growth(void);  /* bench/search/growth.c */
void bench_ratios(void);  /* bench/search/ratios.c */
void bench_grid(void);    /* bench/grid/grid.c */
void bench_plan(void);    /* bench/plan/plan.c */
void bench_terrain(void); /* bench/world/terrain.c */
void bench_cases(void);   /* bench/methods/knn.c */
void bench_trees(void);   /* bench/methods/trees.c */
void bench_cpd(void);     /* bench/methods/cpd.c */
void bench_cpd_full(void);
void bench_atlas(void); /* bench/methods/atlas.c */
void bench_fleet(void); /* bench/world/fleet.c */
void bench_fleet_full(void);
void bench_paths(void);  /* bench/world/paths.c */
void bench_repair(void); /* bench/methods/repair.c */

#endif
