# Stories that go on for long, each in some seconds here; scripts/endurance runs them at full length. A story fails when the
# process holds more of anything in the end than after a tenth.
include_guard(GLOBAL)

find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
file(GLOB endurance_sources CONFIGURE_DEPENDS endurance/*.cpp)
add_executable(aclvk_endurance ${endurance_sources} "${CMAKE_SOURCE_DIR}/bench/program/objects.cpp")
target_include_directories(aclvk_endurance PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_SOURCE_DIR}/bench")
target_link_libraries(aclvk_endurance PRIVATE aclvk CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json aclvk_warnings)

# Without the validation layers, which keep books of their own; what they would say, the other tests hear.
set(endurance_environment ${test_environment})
list(TRANSFORM endurance_environment REPLACE "^ACLVK_VALIDATION=.*" "ACLVK_VALIDATION=0")

# A story and the part of its full length that takes some seconds in a debug build.
foreach(story eager_tasks:0.005 unwaited_tasks:0.05 host_functions:0.01 replays:0.01 captures:0.05 allocations:0.05
              pool_allocations:0.1 objects:0.03 operators:0.03 kernels:0.05)
  string(REGEX MATCH "^[^:]+" name "${story}")
  string(REGEX MATCH "[^:]+$" scale "${story}")
  if(ACLVK_SANITIZE)
    string(REPLACE "0." "0.0" scale "${scale}")
  endif()
  add_test(NAME endurance.${name} COMMAND aclvk_endurance ${name} --scale ${scale})
  set_tests_properties(endurance.${name} PROPERTIES ENVIRONMENT "${endurance_environment}" TIMEOUT 600 LABELS endurance)
endforeach()
