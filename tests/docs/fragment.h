/* What the fragments in README.md and docs take as given. */
#include <stdio.h>
#include <wend/wend.h>

extern wend_map *map;
extern wend_world *world;
extern wend_settings *planner;
extern wend_agent *unit;
extern wend_agent_options agent_options;
extern wend_world_options world_options;
extern wend_fleet *fleet;
extern wend_db *db;
extern wend_error error;
extern wend_cell cell, start, goal;
extern wend_squad_options squad_options;

/* Of the reader's own program. */
double now(void);
extern double deadline;
extern void *view;
void expanded(void *context, const wend_expansion *e);
void tint(void *view, wend_cell cell, wend_cost g, wend_cost h);
