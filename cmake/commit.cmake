# Writes OUT, a header with the commit that SOURCE stands at, unless it says that already: nothing is compiled again then.
# A tree without git, as of a tarball, has none, even where it lies in the tree of another project.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(
    COMMAND ${GIT} --no-optional-locks describe --always --dirty --abbrev=12
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed AND said MATCHES "^[A-Za-z0-9._+/-]+$")
    set(commit ${said})
  endif()
endif()
set(text "/* Written by cmake/commit.cmake. */\n#define TOOL_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUT} "${text}")
endif()
