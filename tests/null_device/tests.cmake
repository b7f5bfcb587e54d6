# The suites of sources.cmake on null devices. Their objects are those of aclvk_api_tests and aclvk_unit_tests.
include_guard(GLOBAL)

# Left out: a test that checks the results of aclrtReduceAsync.
set(null_device_filter "-MemPoolInCapture.ACaptureUsesItsMemoryAgain")

aclvk_test_executable(
  aclvk_null_device_tests
  SOURCES null_device/chosen_devices.cpp null_device/runtime_test.cpp $<TARGET_OBJECTS:aclvk_null_device> $<TARGET_OBJECTS:aclvk_null_device_api_suites>
          $<TARGET_OBJECTS:aclvk_null_device_unit_suites>
  LIBRARIES ${whole_product})
set_target_properties(aclvk_null_device_tests PROPERTIES CROSSCOMPILING_EMULATOR "${CMAKE_COMMAND};-E;env;${test_environment}")
gtest_discover_tests(aclvk_null_device_tests NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 TEST_FILTER "${null_device_filter}"
                     TEST_SUFFIX ".NullDevice" PROPERTIES TIMEOUT 300 LABELS null_device)
