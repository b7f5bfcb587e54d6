# The documents against the sources. "cmake --build build/debug --target docs" writes what is generated.
include_guard(GLOBAL)

set(tools "${CMAKE_SOURCE_DIR}/tools")
add_custom_target(
  docs
  COMMAND "${Python3_EXECUTABLE}" "${tools}/gen_configuration.py"
  COMMAND "${Python3_EXECUTABLE}" "${tools}/coverage.py" --library $<TARGET_FILE:aclvk>
  COMMAND "${Python3_EXECUTABLE}" "${tools}/gen_operators.py" --library $<TARGET_FILE:aclvk>
  COMMAND "${Python3_EXECUTABLE}" "${tools}/gen_compatibility.py" --library $<TARGET_FILE:aclvk>
  COMMAND "${Python3_EXECUTABLE}" "${tools}/readme_counts.py"
  VERBATIM)
add_dependencies(docs aclvk)

add_test(NAME docs.operators COMMAND "${Python3_EXECUTABLE}" "${tools}/gen_operators.py" --library $<TARGET_FILE:aclvk> --check)
add_test(NAME docs.compatibility COMMAND "${Python3_EXECUTABLE}" "${tools}/gen_compatibility.py" --library $<TARGET_FILE:aclvk>
                                         --check)
add_test(NAME docs.configuration COMMAND "${Python3_EXECUTABLE}" "${tools}/gen_configuration.py" --check)
if(ACLVK_BUILD_SAMPLES)
  add_test(
    NAME docs.graph_picture
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_program.py" --expected
            "${CMAKE_SOURCE_DIR}/samples/expected/capture_graph.txt" --picture "${CMAKE_SOURCE_DIR}/docs/images/graph.svg"
            $<TARGET_FILE:sample_capture_graph>)
  set_tests_properties(docs.graph_picture PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 120)
endif()
add_test(NAME docs.readme_counts COMMAND "${Python3_EXECUTABLE}" "${tools}/readme_counts.py" --check)
aclvk_installed_test(
  docs.readme_program "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_readme.py"
  "${CMAKE_SOURCE_DIR}/README.md" "${CMAKE_BINARY_DIR}/installed" ${sanitizer_flags})

# Every command line of the documents; those that install into a system run in scripts/test_clean_root.
if(ACLVK_BUILD_SAMPLES AND ACLVK_BUILD_BENCH AND NOT ACLVK_SANITIZE)
  file(GLOB documents CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/*.md" "${CMAKE_SOURCE_DIR}/docs/*.md")
  foreach(document ${documents})
    get_filename_component(name "${document}" NAME_WLE)
    aclvk_installed_test(docs.commands.${name} "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/run_docs.py"
                         "${document}" --prefix "${prefix}" --build "${CMAKE_BINARY_DIR}")
    set_tests_properties(docs.commands.${name} PROPERTIES TIMEOUT 900)
  endforeach()
endif()
