# A pure room (analysis/, search/) has no I/O, clock, thread or randomness of its own. <atomic> is allowed: what is
# remembered of a graph is shared by the threads that read it.
file(GLOB_RECURSE sources ${ROOM}/*.hpp ${ROOM}/*.cpp)
list(FILTER sources EXCLUDE REGEX "/search/engine/") # the UCI loop, a library of its own
list(LENGTH sources count)
if(count LESS 5)
  message(FATAL_ERROR "found only ${count} sources in ${ROOM}")
endif()
foreach(source ${sources})
  file(STRINGS ${source} forbidden REGEX
    "#include <(boost|sqlite|chrono|thread|mutex|random|ctime|fstream|iostream|cstdio|filesystem|future|unistd|sys/)")
  if(forbidden)
    message(FATAL_ERROR "${source}: ${forbidden}")
  endif()
endforeach()
