# What the validation layer can look at besides the rules of each call: hazards between commands, and best practices. The
# preset `validation` lets it do so in all tests; these are some of each kind, for each run of the tests. With hazards the
# layer now and then waits for a thread of its own for seconds when a test signals much from the host.
# Other versions know other best practices and call them by other names, so support/validation_settings.txt fits one only.
include_guard(GLOBAL)

find_file(ACLVK_VALIDATION_MANIFEST VkLayer_khronos_validation.json PATHS /usr/share/vulkan/explicit_layer.d)
set(layer_version "none")
if(ACLVK_VALIDATION_MANIFEST)
  file(STRINGS "${ACLVK_VALIDATION_MANIFEST}" layer_version REGEX "\"api_version\"")
endif()
if(NOT layer_version MATCHES "1\\.3\\.239")
  message(STATUS "No tests of hazards and best practices: the validation layer is ${layer_version}, not that of Debian 12.")
  return()
endif()

function(aclvk_validation name filter)
  add_test(NAME validation.${name} COMMAND $<TARGET_FILE:aclvk_${name}_tests> "--gtest_filter=${filter}")
  set_tests_properties(validation.${name} PROPERTIES TIMEOUT 1200 ENVIRONMENT
    "${test_environment};ACLVK_VALIDATION=3;VK_LAYER_SETTINGS_PATH=${CMAKE_CURRENT_SOURCE_DIR}/support/validation_settings.txt")
endfunction()
# The layer sees nothing of suites that call no Vulkan: only those run again whose sources open a device or use one. A fork in
# another one (ChildOfAProfile) would end among the exit handlers of the driver, which waits for threads that a child lacks.
set(unit_with_device "")
foreach(source ${unit_sources})
  file(STRINGS "${source}" uses LIMIT_COUNT 1
       REGEX "Device::open|list_devices|_fixture\\.hpp|aclrt[A-Z]|HcclComm|runtime/device/|runtime/stream/|Gpu")
  if(uses)
    list(APPEND unit_with_device "${source}")
  endif()
endforeach()
aclvk_suites_of(unit_suites ${unit_with_device})
list(TRANSFORM unit_suites REPLACE "(.+)" "\\1.*:*/\\1.*:\\1/*")
list(JOIN unit_suites ":" unit_filter)
# Suites that end a Process would close the devices of the others.
aclvk_validation(unit "${unit_filter}-Process*")
aclvk_validation(api "TaskUpdate.*:TaskGroup.*")
aclvk_validation(conformance "OfficialStory.*:DecodeLoop.*")
aclvk_validation(ops "Matmul.*Prime*:InferAttention.TakesEveryLayout:BinaryForms.*:Sorting.*:Rows.ConvertBetweenAllSizes:ForeachTasks.*")
