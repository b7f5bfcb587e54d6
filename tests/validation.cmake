# Best practices, as the validation layer of Debian 12 sees them. Others know other ones and call them by other names, so
# support/validation/best_practices.txt would not fit them.
include_guard(GLOBAL)

find_file(ACLVK_VALIDATION_MANIFEST VkLayer_khronos_validation.json PATHS /usr/share/vulkan/explicit_layer.d)
set(layer_version "none")
if(ACLVK_VALIDATION_MANIFEST)
  file(STRINGS "${ACLVK_VALIDATION_MANIFEST}" layer_version REGEX "\"api_version\"")
endif()
if(NOT layer_version MATCHES "1\\.3\\.239")
  message(STATUS "No tests of best practices: the validation layer is ${layer_version}, not that of Debian 12.")
  return()
endif()

function(aclvk_best_practices name filter)
  add_test(NAME validation.best_practices.${name} COMMAND $<TARGET_FILE:aclvk_${name}_tests> "--gtest_filter=${filter}")
  set_tests_properties(validation.best_practices.${name} PROPERTIES TIMEOUT 1200 ENVIRONMENT
    "${test_environment};ACLVK_VALIDATION=3;VK_LAYER_SETTINGS_PATH=${CMAKE_CURRENT_SOURCE_DIR}/support/validation/best_practices.txt")
endfunction()
# Not where the time behind all commands is wanted: that takes the stage of all commands, which is no good practice elsewhere.
aclvk_best_practices(unit "*-TimestampsTest.*")
aclvk_best_practices(conformance "OfficialStory.*:DecodeLoop.*")
aclvk_best_practices(ops "Matmul.*Prime*:InferAttention.TakesEveryLayout:BinaryForms.*:Sorting.*:Rows.ConvertBetweenAllSizes:ForeachTasks.*")
