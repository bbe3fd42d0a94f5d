/// @file
/// Includes all other headers.
///
/// @mainpage wend: real-time pathfinding on grids
/// The reference of the C library, one page per header. `#include <wend/wend.h>` includes them all.
///
/// **Maps**
/// - map.h: maps, rules of movement, edits, connected components
/// - format.h: maps from and to files and memory
/// - scenario.h: problems on a map
/// - generate.h: maps and problems from a seed
///
/// **Paths on a known map**
/// - search.h: A*, jump-point search, distances to all cells
/// - paths.h: many paths in one call, over threads
///
/// **Agents**
/// - plan.h: planners and their settings by name
/// - world.h: agents that plan within a bound and move
/// - fleet.h: many agents, one budget per tick
/// - goals.h: what can be reached, also if an area were closed
/// - planner.h: a planner of one's own
///
/// **Databases**
/// - db.h: what is computed of a map beforehand
/// - cpd.h: optimal moves without search
/// - corners.h: whole shortest paths in a fraction of the time
/// - tree.h: subgoals for one goal that many agents share
/// - repair.h: databases of maps that are edited
///
/// **Everything**
/// - base.h: status, errors, allocators, version
/// - file.h: files read whole, and written whole or not at all
#ifndef WEND_H
#define WEND_H

#include "base.h"
#include "corners.h"
#include "cpd.h"
#include "db.h"
#include "file.h"
#include "fleet.h"
#include "format.h"
#include "generate.h"
#include "goals.h"
#include "map.h"
#include "paths.h"
#include "plan.h"
#include "planner.h"
#include "repair.h"
#include "scenario.h"
#include "search.h"
#include "tree.h"
#include "world.h"

#endif
