# Flags and helpers shared by all rooms.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}) # build/release/adjourn

find_package(Threads REQUIRED)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

set(ADJOURN_SANITIZE "" CACHE STRING "value of -fsanitize=, empty for none")

# Most of the time to compile a file goes to templates of Boost, JSON and Catch2 that the next file needs again. Files of
# one target are therefore compiled together, in batches; see docs/decisions/035-what-tests-build.md.
option(ADJOURN_BATCHES "compile the files of a target in batches: quicker in all, slower after a change of one file" ON)
set(ADJOURN_BATCH_BYTES 160000 CACHE STRING "text of one batch, about; headers not counted")

add_library(adjourn_flags INTERFACE)
# One root of includes: "chess/position.hpp", "core/schedule/core.hpp". Which room may include what of which: HEADERS and USES
# of adjourn_room(), checked by tests/architecture.
target_include_directories(adjourn_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/server)
target_compile_options(adjourn_flags INTERFACE -Wall -Wextra -Werror -Wnon-virtual-dtor -Woverloaded-virtual)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64")
  target_compile_options(adjourn_flags INTERFACE -fsigned-char) # as on x86-64, where all was tested
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Asio's coroutine frames make g++ 12 report false positives under optimisation, std::string of the third (PR105651).
  target_compile_options(adjourn_flags INTERFACE -Wno-maybe-uninitialized -Wno-mismatched-new-delete -Wno-restrict)
endif()
if(ADJOURN_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(adjourn_flags INTERFACE -Wno-subobject-linkage) # a batch is no header, but g++ takes its parts for some
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12 hides std::expected from clang 14; see docs/decisions.
  target_include_directories(adjourn_flags BEFORE INTERFACE ${PROJECT_SOURCE_DIR}/cmake/clang14)
endif()
if(ADJOURN_SANITIZE)
  target_compile_options(adjourn_flags INTERFACE
    -fsanitize=${ADJOURN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(adjourn_flags INTERFACE -fsanitize=${ADJOURN_SANITIZE})
  if(ADJOURN_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(adjourn_flags INTERFACE -Wno-tsan) # atomic_thread_fence in Asio
  endif()
  if(ADJOURN_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(adjourn_flags INTERFACE -fno-sanitize=function) # clang 14 cannot with coroutines
  endif()
  if(ADJOURN_SANITIZE MATCHES "address")
    target_compile_definitions(adjourn_flags INTERFACE _GLIBCXX_ASSERTIONS)
  endif()
endif()

# For who tells people the version: nothing else is compiled again when it changes.
add_library(adjourn_version INTERFACE)
target_compile_definitions(adjourn_version INTERFACE ADJOURN_VERSION="${PROJECT_VERSION}")

# adjourn_fewer_checks(TARGET): for what is full of Boost and JSON. These checks of UBSan double the time to compile it;
# what they find early, a null or stray pointer, AddressSanitizer finds when it is used. See docs/decisions/035-what-tests-build.md.
function(adjourn_fewer_checks target)
  if(ADJOURN_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      -fno-sanitize=null,alignment,object-size,vptr,nonnull-attribute,returns-nonnull-attribute)
  endif()
endfunction()

# adjourn_waits(TARGET): for what waits for sockets, files or people, and does not compute: compiled with -O1, which takes
# two thirds of the time. See docs/decisions/035-what-tests-build.md.
function(adjourn_waits target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# adjourn_batches(OUT TARGET sources…): files that include the sources, some each. Their paths are relative, so that a
# compiler cache serves every clone.
function(adjourn_batches out target)
  if(NOT ADJOURN_BATCHES)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(batches "")
  set(text "")
  set(bytes 0)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/batches/${target})
  foreach(source ${ARGN} "")
    if(source)
      file(SIZE ${source} size)
      file(RELATIVE_PATH path ${directory} ${source})
    endif()
    math(EXPR after "${bytes} + ${size}")
    if(text AND (NOT source OR after GREATER ADJOURN_BATCH_BYTES))
      list(LENGTH batches number)
      set(batch ${directory}/${target}_${number}.cpp)
      file(CONFIGURE OUTPUT ${batch} CONTENT "${text}" @ONLY) # written only if it changes
      list(APPEND batches ${batch})
      set(text "")
      set(after ${size})
    endif()
    string(APPEND text "#include \"${path}\"\n")
    set(bytes ${after})
  endforeach()
  set(${out} ${batches} PARENT_SCOPE)
endfunction()

# adjourn_room(NAME HEADERS headers… USES rooms… SEES rooms… PUBLIC libraries… PRIVATE libraries… ALONE sources…
# APART sources…): one room = one folder = one library; a folder inside with a CMakeLists.txt is another. HEADERS, without
# their .hpp: all that other rooms include. USES: what is linked, and may be included as all that it uses may. SEES: may be
# included only. ALONE: not in a batch with others; APART: not in the library.
function(adjourn_room name)
  cmake_parse_arguments(ROOM "" "" "HEADERS;USES;SEES;PRIVATE;PUBLIC;ALONE;APART" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB others CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(other ${others})
    cmake_path(GET other PARENT_PATH other)
    list(FILTER sources EXCLUDE REGEX "^${other}/")
  endforeach()
  list(TRANSFORM ROOM_ALONE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM ROOM_APART PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(REMOVE_ITEM sources ${ROOM_ALONE} ${ROOM_APART} "")
  adjourn_batches(batches adjourn_${name} ${sources})
  add_library(adjourn_${name} STATIC ${batches} ${ROOM_ALONE})
  target_link_libraries(adjourn_${name} PUBLIC ${ROOM_USES} ${ROOM_PUBLIC} PRIVATE ${ROOM_PRIVATE} adjourn_flags)
  set(sees ${ROOM_SEES} ${ROOM_PRIVATE})
  list(FILTER sees INCLUDE REGEX "^adjourn_")
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  set_property(GLOBAL APPEND PROPERTY adjourn_rooms ${name})
  set_property(GLOBAL PROPERTY adjourn_${name}_folder ${folder})
  set_property(GLOBAL PROPERTY adjourn_${name}_headers ${ROOM_HEADERS})
  set_property(GLOBAL PROPERTY adjourn_${name}_uses ${ROOM_USES})
  set_property(GLOBAL PROPERTY adjourn_${name}_sees ${sees})
endfunction()

# adjourn_embed(ROOM FILE): the text is compiled in, as `extern const char adjourn_NAME[]`.
function(adjourn_embed room file)
  get_filename_component(text ${file} NAME)
  get_filename_component(path ${file} ABSOLUTE)
  string(MAKE_C_IDENTIFIER adjourn_${text} name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${path} -DOUTPUT=${source}
            -DNAME=${name} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
  target_sources(adjourn_${room} PRIVATE ${source})
endfunction()

# adjourn_test(NAME libraries…): the one test binary of a room, from tests/NAME/*.cpp and the folders there.
function(adjourn_test name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  # Programs of their own.
  list(FILTER sources EXCLUDE REGEX "/(fuzz|engine_bridge/engines|simulation/program)/")
  adjourn_batches(batches ${name}_tests ${sources})
  add_executable(${name}_tests ${batches})
  target_link_libraries(${name}_tests PRIVATE ${ARGN} adjourn_test_main adjourn_flags)
  # Relative, so that a compiler cache serves every clone; tests run in the source directory.
  target_compile_definitions(${name}_tests PRIVATE
    ADJOURN_TEST_DATA="tests/data" ADJOURN_SHARED_DATA="../shared/data" ADJOURN_SOURCE_DIR=".")
  add_test(NAME ${name} COMMAND ${name}_tests WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()
