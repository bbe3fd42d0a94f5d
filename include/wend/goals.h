/// @file
/// Questions about goals: can it be reached, would it still be if an area were closed, and what can be reached near it.
///
/// The answers hold for the true map as it is now. They come from the components that worlds and fleets keep, not
/// from a search. Ask between steps, from one thread at a time.
#ifndef WEND_GOALS_H
#define WEND_GOALS_H

#include "fleet.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An answer about the map as it is now.
typedef enum wend_answer {
    WEND_ANSWER_NO = 0,     ///< Proved: it is not so.
    WEND_ANSWER_YES = 1,    ///< Proved: it is so.
    WEND_ANSWER_UNKNOWN = 2 ///< Not known yet: see wend_world_settle. Or there was no memory to find out.
} wend_answer;

/// Whether a path joins two cells. After edits it is not known until the world has settled, unless one of the cells
/// is blocked or outside: then it is no. Looks at about 12 table entries for each cell.
WEND_API wend_answer wend_world_reaches(const wend_world *world, wend_cell a, wend_cell b);

/// Whether a path would join two cells if all of an area were closed. For towers and walls that may not block the
/// way: build where the answer is yes. Nothing is edited, and agents notice nothing.
///
/// The answer is exact, also while the world is not settled. Where the cells around the area show that nobody is
/// cut off, and the world is settled, it takes 4 * (width + height) + 8 looks. Otherwise the area is closed on a
/// copy of the map with components of its own. That takes as much as wend_components_settle says for the rows of
/// the area, those of the last such question, and those that were edited between the two. Further questions about
/// the same area take no more than wend_world_reaches.
///
/// The copy is made by the first question that needs it, and takes 5.6 bytes per cell. It ends with the world.
/// WEND_ANSWER_UNKNOWN only where there is no memory for it.
/// @param world  the world; it need not be editable
/// @param area   what is thought of as closed; parts outside the map are ignored
/// @param a, b   the cells; no if one of them lies in the area
WEND_API wend_answer wend_world_reaches_without(wend_world *world, wend_rect area, wend_cell a, wend_cell b);

/// The open cell nearest to a goal among those that can be reached from a cell: the goal itself if it can be reached.
/// Nearest is the least wend_map_distance, without walls; of several the smallest cell. Looks at the cells around the
/// goal, farther and farther out: one operation for each 64 cells of a row, or for one of a column, and 13 for each
/// open cell that may be nearer than what was found.
/// @param world  the world
/// @param from   where one would start
/// @param goal   any cell of the map, also a blocked one
/// @param cell   gets the cell; WEND_NO_CELL unless the answer is yes
/// @return WEND_ANSWER_NO where `from` is blocked, or a cell is outside; WEND_ANSWER_UNKNOWN as wend_world_reaches
WEND_API wend_answer wend_world_nearest(const wend_world *world, wend_cell from, wend_cell goal,
                                        wend_cell *cell);

/// wend_world_reaches for bodies of a size. As wend_fleet_map, the first question about a size makes its map;
/// WEND_ANSWER_UNKNOWN where the fleet has no such size, or no memory for it. For wend_world_nearest give
/// wend_fleet_world.
WEND_API wend_answer wend_fleet_reaches(wend_fleet *fleet, int32_t body, wend_cell a, wend_cell b);
/// wend_world_reaches_without for bodies of a size, if an area of the fleet's map were closed.
WEND_API wend_answer wend_fleet_reaches_without(wend_fleet *fleet, int32_t body, wend_rect area, wend_cell a,
                                                wend_cell b);

#ifdef __cplusplus
}
#endif
#endif
