/* wend: real-time pathfinding on grids. This header includes the rest. */
#ifndef WEND_H
#define WEND_H

#include "base.h"
#include "cpd.h"
#include "db.h"
#include "file.h"
#include "fleet.h"
#include "format.h"
#include "generate.h"
#include "map.h"
#include "plan.h"
#include "planner.h"
#include "repair.h"
#include "scenario.h"
#include "search.h"
#include "tree.h"
#include "world.h"

#endif
