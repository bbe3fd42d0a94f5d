/* A kind of database that means nothing, for tests of the container: numbers from map, settings, seed and
 * job, in sections of every width. */
#ifndef WEND_TESTS_SAMPLE_KIND_H
#define WEND_TESTS_SAMPLE_KIND_H

#include "db/file.h"

/* Keys: jobs (12), mean (size of a job's result, 40), share (0.5), flavour (plain or salted). */
extern const wend_db_kind test_sample_kind;
/* The same name and keys, a later version. */
extern const wend_db_kind test_sample_kind_2;
/* Another kind with a key that the first does not have. */
extern const wend_db_kind test_other_kind;

/* What the sample kind does and has been asked; tests set and read it. Reset it with a zeroed struct. */
typedef struct test_sample {
    uint32_t fail_job;         /* this job, from 1, fails with WEND_STATUS_UNSUPPORTED; 0: none */
    uint32_t job_microseconds; /* a job takes at least so long */
    bool fail_finish;          /* `finish` gives WEND_STATUS_STALE */
    bool bad_contents;         /* `finish` makes what `open` refuses */
    size_t prepare_bytes;      /* `prepare` asks for so much memory */
    uint32_t wrong_from;       /* of verify: refuses this job and every third from it on, from 1; 0: none */
    uint32_t jobs, opens, closes, prepares, releases, verified; /* calls, if there is one worker */
} test_sample;

extern test_sample test_sample_state;

/* The context of a library with `test_sample_kind` and `test_other_kind` alone. */
wend_db_context test_sample_context(void);
/* Parses "sample:..."; fails the case if that is refused. */
const wend_settings *test_sample_settings(const char *text); /* kept, as test_settings_parse does */

/* Makes all checksums of a file right again, as far as its lengths allow. Whether byte `at` is covered by one
 * of them. */
bool test_repair(uint8_t *data, size_t size, size_t at);

#endif
