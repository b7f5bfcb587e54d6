# The suites of sources.cmake on null devices. Their objects are those of aclvk_api_tests and aclvk_unit_tests.
include_guard(GLOBAL)

# Left out: a test that checks the results of aclrtReduceAsync.
set(null_device_left_out MemPoolInCapture.ACaptureUsesItsMemoryAgain)

aclvk_test_executable(
  aclvk_null_device_tests
  SOURCES support/shared_process.cpp null_device/chosen_devices.cpp null_device/runtime_test.cpp $<TARGET_OBJECTS:aclvk_null_device>
          $<TARGET_OBJECTS:aclvk_null_device_api_suites> $<TARGET_OBJECTS:aclvk_null_device_unit_suites>
  LIBRARIES ${whole_product})
set(null_device_suites ${null_device_api_sources} ${null_device_unit_sources} "${CMAKE_CURRENT_SOURCE_DIR}/null_device/runtime_test.cpp")
aclvk_shared_suites(aclvk_null_device_tests null_device SOURCES ${null_device_suites} WITHOUT ${null_device_left_out})

# Those with a process of their own. Left out: death tests that lower the log level, which is that of the first use of the library,
# here the choice of the devices.
set_target_properties(aclvk_null_device_tests PROPERTIES CROSSCOMPILING_EMULATOR "${CMAKE_COMMAND};-E;env;${test_environment}")
list(JOIN own_process_cases ":" own_filter)
gtest_discover_tests(aclvk_null_device_tests NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 TEST_FILTER "${own_filter}-HostFunctionDeathTest.*"
                     TEST_SUFFIX ".NullDevice" PROPERTIES TIMEOUT 300 LABELS null_device)
