# The public headers against the tables, the layers against the plan, the libraries against the support table.
set(tables_dir "${CMAKE_CURRENT_SOURCE_DIR}/unit/api_tables")
set(python "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${Python3_EXECUTABLE}")

add_library(aclvk_headers_compile OBJECT "${tables_dir}/c11_compile.c" "${tables_dir}/cpp17_compile.cpp"
                                         "${tables_dir}/abi_assert.cpp")
target_include_directories(aclvk_headers_compile PRIVATE "${CMAKE_SOURCE_DIR}/include")
target_link_libraries(aclvk_headers_compile PRIVATE aclvk_warnings)

# Programs in C99 include them with -pedantic.
add_library(aclvk_headers_are_c99 OBJECT "${tables_dir}/c11_compile.c")
set_target_properties(aclvk_headers_are_c99 PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
target_include_directories(aclvk_headers_are_c99 PRIVATE "${CMAKE_SOURCE_DIR}/include")
target_link_libraries(aclvk_headers_are_c99 PRIVATE aclvk_warnings)

add_test(NAME tools.headers_alone
         COMMAND ${python} "${tables_dir}/headers_alone_test.py" "${CMAKE_SOURCE_DIR}/include" "${CMAKE_C_COMPILER}"
                 "${CMAKE_CXX_COMPILER}")
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
add_test(NAME tools.compile_shader
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/compile_shader_test.py")
add_test(NAME tools.module_encoder
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/module_encoder_test.py")
add_test(NAME tools.driver_results
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/driver_results_test.py")
add_test(NAME tools.loops COMMAND ${python} "${CMAKE_SOURCE_DIR}/tools/check_loops.py")
add_test(NAME tools.check_loops
         COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/unit/tools/check_loops_test.py")
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
