# The program aclvk, from the build folder: one test a command.
include_guard(GLOBAL)

# Not with sanitizers: the program opens a library that wants their runtimes to be there first.
if(ACLVK_BUILD_SAMPLES AND NOT ACLVK_SANITIZE)
  foreach(command help devices run doctor support trace graph)
    add_test(NAME cli.${command} COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/cli/${command}_test.py")
    set_tests_properties(cli.${command} PROPERTIES ENVIRONMENT "${test_environment};ACLVK_BUILD=${CMAKE_BINARY_DIR}" TIMEOUT 600)
  endforeach()
endif()
