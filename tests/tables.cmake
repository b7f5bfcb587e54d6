# The public headers against the tables, the layers against the plan, the libraries against the support table.
set(tables_dir "${CMAKE_CURRENT_SOURCE_DIR}/unit/interface")
set(python "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${Python3_EXECUTABLE}")

set(header_tests "${CMAKE_CURRENT_BINARY_DIR}/header_tests")
file(GLOB tables CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/interface/*.tsv" "${CMAKE_SOURCE_DIR}/interface/docs/*.tsv"
     "${CMAKE_SOURCE_DIR}/tools/headers/*.py")
add_custom_command(
  OUTPUT "${header_tests}/c11_compile.c" "${header_tests}/cpp17_compile.cpp" "${header_tests}/abi_assert.cpp"
  COMMAND "${Python3_EXECUTABLE}" "${CMAKE_SOURCE_DIR}/tools/gen_headers.py" --tests "${header_tests}"
  DEPENDS "${CMAKE_SOURCE_DIR}/tools/gen_headers.py" ${tables}
  VERBATIM)
add_custom_target(aclvk_header_tests DEPENDS "${header_tests}/c11_compile.c" "${header_tests}/cpp17_compile.cpp"
                                             "${header_tests}/abi_assert.cpp")

add_library(aclvk_headers_compile OBJECT "${header_tests}/c11_compile.c" "${header_tests}/cpp17_compile.cpp"
                                         "${header_tests}/abi_assert.cpp")
add_dependencies(aclvk_headers_compile aclvk_header_tests)
target_include_directories(aclvk_headers_compile PRIVATE "${CMAKE_SOURCE_DIR}/include")
target_link_libraries(aclvk_headers_compile PRIVATE aclvk_warnings)

# Programs in C99 include them with -pedantic.
add_library(aclvk_headers_are_c99 OBJECT "${header_tests}/c11_compile.c")
add_dependencies(aclvk_headers_are_c99 aclvk_header_tests)
set_target_properties(aclvk_headers_are_c99 PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
target_include_directories(aclvk_headers_are_c99 PRIVATE "${CMAKE_SOURCE_DIR}/include")
target_link_libraries(aclvk_headers_are_c99 PRIVATE aclvk_warnings)

add_test(NAME tools.headers_alone
         COMMAND ${python} "${tables_dir}/headers_alone_test.py" "${CMAKE_BINARY_DIR}/installed/include"
                 "${CMAKE_C_COMPILER}" "${CMAKE_CXX_COMPILER}")
set_tests_properties(tools.headers_alone PROPERTIES FIXTURES_REQUIRED installed)
if(NOT ACLVK_JOIN_SOURCES)  # the build does its part when each source is compiled alone
  add_test(NAME tools.source_headers_alone
           COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_headers.py" "${CMAKE_BINARY_DIR}" "${CMAKE_CXX_COMPILER}")
endif()
add_test(NAME tools.check_headers
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_headers_test.py")
add_test(NAME tools.mutate
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/mutate_test.py")
add_test(NAME tools.tidy
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/tidy_test.py")
# Other versions find other faults; that of Debian 12 and Ubuntu 22.04 is the one that checks, in the debug preset.
find_program(ACLVK_CLANG_TIDY clang-tidy-14)
if(ACLVK_CLANG_TIDY AND ACLVK_WARNINGS_AS_ERRORS AND NOT ACLVK_SANITIZE AND ACLVK_TEST_VALIDATION EQUAL 2)
  foreach(layers base,capture,comm,securec runtime vk_device api ops)
    string(REPLACE "," ";" names "${layers}")
    string(REPLACE "," "_" name "${layers}")
    add_test(NAME tools.clang_tidy.${name}
             COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/tidy.py" --clang-tidy "${ACLVK_CLANG_TIDY}" "${CMAKE_BINARY_DIR}" ${names})
    set_tests_properties(tools.clang_tidy.${name} PROPERTIES TIMEOUT 1200)
  endforeach()
endif()
add_test(NAME tools.headers_match_tables COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/gen_headers.py" --check)
add_test(NAME tools.operator_sources COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/gen_operator_tables.py" --check)
add_test(NAME tools.operator_sources_test
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/operator_sources_test.py")
add_test(NAME tools.operators_have_comments COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_comments.py")
add_test(NAME tools.references COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_references.py")
add_test(NAME tools.check_references
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_references_test.py")
add_test(NAME tools.tools_test COMMAND ${python} "${tables_dir}/tools_test.py")
add_test(NAME tools.compare_record
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/compare_record_test.py")
add_test(NAME tools.pytorch_report
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/pytorch_report_test.py")
add_test(NAME tools.compile_shader
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/compile_shader_test.py")
add_test(NAME tools.module_encoder
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/module_encoder_test.py")
add_test(NAME tools.driver_results
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/driver_results_test.py")
add_test(NAME tools.loops COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_loops.py")
add_test(NAME tools.check_loops
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_loops_test.py")
add_test(NAME tools.kernels COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_kernels.py")
add_test(NAME tools.check_kernels
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_kernels_test.py")
add_test(NAME tools.compare_bench
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/compare_bench_test.py")
add_test(NAME tools.words COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_words.py")
add_test(NAME tools.check_words
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_words_test.py")
add_test(NAME tools.names COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_names.py")
add_test(NAME tools.check_names
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_names_test.py")
add_test(NAME tools.tree_figures COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/measure_tree.py" --check)
add_test(NAME tools.measure_tree
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/measure_tree_test.py")
add_test(NAME tools.layers COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_layers.py")
add_test(NAME tools.check_layers
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_layers_test.py")
add_test(NAME tools.support_table COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/coverage.py" --library $<TARGET_FILE:aclvk> --check)
if(NOT ACLVK_SANITIZE)
  add_test(NAME tools.split_libraries
           COMMAND ${python} "${tables_dir}/split_libraries_test.py" "${CMAKE_BINARY_DIR}/lib64" "${CMAKE_SOURCE_DIR}/include")
endif()
