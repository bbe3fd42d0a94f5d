/* Files of the papers that stand inside the program: see cmake/embed.cmake. */
#ifndef WEND_PAPERS_COMMON_DATA_H
#define WEND_PAPERS_COMMON_DATA_H

#include <stddef.h>

/* papers/NAME/figures.txt: what the paper printed. */
extern const unsigned char paper_cpd2011[], paper_jair2010[], paper_knn2009[], paper_subgoal2011[],
    paper_tbaa2012[];
extern const size_t paper_cpd2011_size, paper_jair2010_size, paper_knn2009_size, paper_subgoal2011_size,
    paper_tbaa2012_size;
/* papers/common/index.txt: the tables and figures that the index lists. */
extern const unsigned char paper_index[];
extern const size_t paper_index_size;

#endif
