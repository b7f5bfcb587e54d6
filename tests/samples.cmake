# Each sample against the output that samples/expected holds.
include_guard(GLOBAL)

if(ACLVK_BUILD_SAMPLES)
  foreach(sample capture_replay capture_two_streams capture_update capture_trace capture_graph model_condition model_switch custom_kernel gpt_decoder resnet)
    add_test(
      NAME samples.${sample}
      COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_program.py"
              --expected "${CMAKE_SOURCE_DIR}/samples/expected/${sample}.txt" $<TARGET_FILE:sample_${sample}>)
    set_tests_properties(samples.${sample} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 120
                         SKIP_REGULAR_EXPRESSION "which this driver does not have")
  endforeach()
endif()
