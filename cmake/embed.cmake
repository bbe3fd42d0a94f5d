# Turns files into C arrays: cmake -DOUT=FILE.c -DHEADER=NAME.h "-DFILES=NAME=PATH;NAME=PATH" -P embed.cmake
# Each becomes `const unsigned char NAME[]` and `const size_t NAME_size`, declared in HEADER.
set(text "/* Made by cmake/embed.cmake. */\n#include \"${HEADER}\"\n")
foreach(entry ${FILES})
  string(REGEX MATCH "^([a-z0-9_]+)=(.+)$" whole "${entry}")
  set(name ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  # Lines of twenty, so that a compiler's message can quote one.
  string(REPEAT "....." 20 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  string(APPEND text "\nconst size_t ${name}_size = ${size};\nconst unsigned char ${name}[] = {\n${bytes}\n};\n")
endforeach()
file(WRITE "${OUT}" "${text}")
