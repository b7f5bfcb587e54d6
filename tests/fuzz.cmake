# Fuzz targets: what a program may hand over, however wild, gives a documented code. In the preset "fuzz" (clang) libFuzzer
# drives them, see scripts/fuzz; everywhere else fuzz/driver.cpp runs the corpus and a fixed number of mutations of it.
include_guard(GLOBAL)

find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)

# All operators of the headers; which of them the library has is found out by the target.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/interface/aclnn.tsv")
file(STRINGS "${CMAKE_SOURCE_DIR}/interface/aclnn.tsv" rows REGEX "^aclnn[A-Za-z0-9_]+\t[^\t]")
set(text "")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^([^\t]+)\t([^\t]*)\t.*" "\\1;\\2" fields "${row}")
  list(POP_FRONT fields name parameters)
  # Some call what they write const, in-place operators above all: a bit for each such parameter.
  set(written_names "[A-Za-z0-9]*Ref|out|[A-Za-z0-9]*Out|noise")
  if(NOT parameters MATCHES "(^|, )aclTensor(List)? \\*")  # all is const, and a result has another name
    string(APPEND written_names "|result|y|z|gradInput|grad_(input|scale|shift)|dst|dst_out|outScaleOptional|scaledGrads|foundInf")
  endif()
  set(written 0)
  string(REPLACE ", " ";" parameters "${parameters}")
  set(place 1)
  foreach(parameter IN LISTS parameters)
    if(parameter MATCHES "^const aclTensor(List)? \\* (${written_names})$"
       OR (written EQUAL 0 AND name MATCHES "Inplace" AND parameter MATCHES "^const aclTensor(List)? \\*"))
      math(EXPR written "${written} + ${place}")
    endif()
    math(EXPR place "${place} * 2")
  endforeach()
  string(APPEND text "OPERATOR(${name}, ${written})\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/fuzz_operators.inc" CONTENT "${text}" @ONLY)

function(aclvk_fuzz_target name runs)
  set(target aclvk_fuzz_${name})
  file(GLOB sources CONFIGURE_DEPENDS "fuzz/${name}.cpp" "fuzz/${name}/*.cpp")
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/fuzz")
  target_link_libraries(${target} PRIVATE ${ARGN} fmt::fmt aclvk_warnings)
  if(ACLVK_SANITIZE MATCHES fuzzer)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    return()
  endif()
  target_sources(${target} PRIVATE fuzz/driver.cpp fuzz/mutation.cpp)
  target_link_libraries(${target} PRIVATE CLI11::CLI11)
  set(inputs "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
  add_test(NAME fuzz.${name} COMMAND ${target} --runs ${runs} "${inputs}")
  set_tests_properties(fuzz.${name} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 1200 LABELS fuzz)
  # What has been found once, a test each.
  file(GLOB regressions CONFIGURE_DEPENDS "fuzz/regressions/${name}/*")
  foreach(input ${regressions})
    get_filename_component(finding "${input}" NAME)
    add_test(NAME fuzz.regressions.${name}.${finding} COMMAND ${target} "${input}")
    set_tests_properties(fuzz.regressions.${name}.${finding} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 120 LABELS fuzz)
  endforeach()
endfunction()

aclvk_fuzz_target(api_sequence 1500 aclvk)
aclvk_fuzz_target(tensor 200 aclvk)
target_include_directories(aclvk_fuzz_tensor PRIVATE "${CMAKE_BINARY_DIR}/generated")
# These look at the inside, and need no layer above it: what they link is built sooner.
aclvk_fuzz_target(config 10000 aclvk_runtime)
aclvk_fuzz_target(spirv_module 20000 aclvk_runtime aclvk_spirv)
