# What the library may open and write, and what one process may do to another. Not with sanitizers, which write files of
# their own.
include_guard(GLOBAL)

if(ACLVK_BUILD_SAMPLES AND NOT ACLVK_SANITIZE)
  foreach(subject files isolation)
    add_test(NAME security.${subject} COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/security/${subject}_test.py")
    set_tests_properties(security.${subject} PROPERTIES ENVIRONMENT "${test_environment};ACLVK_BUILD=${CMAKE_BINARY_DIR}"
                                                        TIMEOUT 600)
  endforeach()
endif()
