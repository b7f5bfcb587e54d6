# Lets the compiler read sources of a target as one, where no two define the same name (tools/joined_sources.py). A cold build is
# faster then, and one after the change of a source slower; so debug, the preset for development, does without.
option(ACLVK_JOIN_SOURCES "Read sources that fit together as one" OFF)

# Joins sources of the target, which must be in src or tests.
function(aclvk_join_sources target)
  set(sources ${ARGN})
  list(FILTER sources EXCLUDE REGEX "^\\$<")  # objects of other targets
  if(NOT ACLVK_JOIN_SOURCES OR NOT sources)
    return()
  endif()
  # A source that defines another name may belong into another batch.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/joined")
  execute_process(COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/tools/joined_sources.py"
                          "${CMAKE_BINARY_DIR}/joined" ${sources}
                  WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE ";" "|" lines "${lines}")
  string(REPLACE "\n" ";" lines "${lines}")
  set(number 0)  # names are those of the target: some sources belong to two
  foreach(line ${lines})
    math(EXPR number "${number} + 1")
    string(REPLACE "|" ";" batch "${line}")
    set_source_files_properties(${batch} PROPERTIES UNITY_GROUP "${target}_${number}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
