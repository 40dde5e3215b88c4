# cmake -DDIRECTORY=migrations -DNAMESPACE=adjourn::storage -DOUTPUT=migrations.cpp -P embed_migrations.cmake
# Writes the numbered .sql files into one C++ source, so that the program needs no files at run time.
file(GLOB files ${DIRECTORY}/*.sql)
list(SORT files)
set(entries "")
set(expected 1)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  if(NOT name MATCHES "^([0-9][0-9][0-9][0-9])_[a-z0-9_]+$")
    message(FATAL_ERROR "${file}: migrations are named 0001_what.sql")
  endif()
  math(EXPR number "1${CMAKE_MATCH_1} - 10000")
  if(NOT number EQUAL expected)
    message(FATAL_ERROR "${file}: migration ${expected} is missing or there twice")
  endif()
  math(EXPR expected "${expected} + 1")
  file(READ ${file} text)
  string(APPEND entries "    {${number}, \"${name}\", R\"adjourn_sql(${text})adjourn_sql\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from migrations/*.sql.
#include \"${SCHEMA}\"

namespace ${NAMESPACE} {

namespace {

constexpr Migration all[] = {
${entries}};

} // namespace

std::span<const Migration> migrations() { return all; }

} // namespace ${NAMESPACE}
")
