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
extern wend_repair *repair;
extern wend_tree *tree;
extern wend_error error;
extern wend_cell cell, start, goal, from, to;
extern wend_squad_options squad_options;
extern wend_build_options build_options;
extern wend_repair_options how;

/* Of the reader's own program. */
double now(void);
extern double deadline;
extern void *view;
extern const char *path;
extern uint64_t operations;
extern bool done;
extern size_t count, arrived;
extern wend_cell at[], goals[], where_the_prey_is;
extern wend_direction moves[];
extern uint32_t infantry;
extern wend_member member, infantry_member;
void draw(wend_cell cell);
void new_orders(wend_member member);
void expanded(void *context, const wend_expansion *e);
void tint(void *view, wend_cell cell, wend_cost g, wend_cost h);
