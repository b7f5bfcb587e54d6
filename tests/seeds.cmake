# Programs that know only an installation: the programs of CANN's documents, verbatim, and builds that use the tree as
# they would use CANN's. The tree is installed into the build folder first.
set(prefix "${CMAKE_BINARY_DIR}/installed")
set(seeds_dir "${CMAKE_CURRENT_SOURCE_DIR}/conformance/seeds")
set(consumer_dir "${CMAKE_CURRENT_SOURCE_DIR}/conformance/consumer")

# A library with sanitizers needs a program with sanitizers.
set(seed_flags "")
set(sanitizer_flags "")
if(ACLVK_SANITIZE)
  set(sanitizer_flags "-fsanitize=${ACLVK_SANITIZE}")
  set(seed_flags "--flag=${sanitizer_flags}")
endif()

function(aclvk_installed_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" FIXTURES_REQUIRED installed TIMEOUT 300)
endfunction()

# Not "install.": scripts/test leaves those out on drivers, and these are needed there.
add_test(NAME installation.tree COMMAND "${CMAKE_COMMAND}" --install "${CMAKE_BINARY_DIR}" --prefix "${prefix}")
set_tests_properties(installation.tree PROPERTIES FIXTURES_SETUP installed)
add_test(NAME installation.latest COMMAND "${CMAKE_COMMAND}" -E create_symlink installed "${CMAKE_BINARY_DIR}/latest")
set_tests_properties(installation.latest PROPERTIES FIXTURES_SETUP installed)

# The first four are whole programs; the others are fragments with a main around them.
foreach(seed single_stream cross_stream task_update pinned_memory_json event_synchronize stream_synchronize
             stream_wait_event device_synchronize resources)
  aclvk_installed_test(
    seeds.${seed} "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_program.py" --expected
    "${seeds_dir}/expected/${seed}.txt" --prefix "${prefix}" ${seed_flags} "${seeds_dir}/${seed}.cpp")
endforeach()

# How builds find CANN: through set_env.sh, through bin/setenv.bash, below <arch>-linux, through a link named latest.
set(use_installation "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/use_installation.sh")
set(consumer "${consumer_dir}/main.cpp" ${sanitizer_flags})
set(arch "${CMAKE_SYSTEM_PROCESSOR}-linux")
aclvk_installed_test(install.set_env bash "${use_installation}" "${prefix}/set_env.sh" include lib64 ${consumer})
aclvk_installed_test(install.set_env_sh sh "${use_installation}" "${prefix}/set_env.sh" include lib64 ${consumer})
aclvk_installed_test(install.setenv_bash bash "${use_installation}" "${prefix}/bin/setenv.bash" include lib64
                     ${consumer})
aclvk_installed_test(install.arch_dir bash "${use_installation}" "${CMAKE_BINARY_DIR}/latest/set_env.sh" ${arch}/include
                     ${arch}/lib64 ${consumer})

foreach(program consumer consumer_cann_names)
  aclvk_installed_test(
    install.find_package.${program} "${CMAKE_CTEST_COMMAND}" --build-and-test "${consumer_dir}"
    "${CMAKE_BINARY_DIR}/find_package/${program}" --build-generator "${CMAKE_GENERATOR}" --build-target ${program}
    --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_FLAGS=${sanitizer_flags}" --test-command ${program})
endforeach()

# Whole projects in each of the styles in which build scripts find CANN.
set(projects_dir "${CMAKE_CURRENT_SOURCE_DIR}/conformance/projects")
function(aclvk_project_test style)
  aclvk_installed_test(install.project.${style} "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/build_project.py"
                       "${projects_dir}/${style}" "${prefix}" ${ARGN} "CXXFLAGS=${sanitizer_flags}" "LDFLAGS=${sanitizer_flags}")
  set_tests_properties(install.project.${style} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
aclvk_project_test(home_path ASCEND_HOME_PATH={})
aclvk_project_test(toolkit_home ASCEND_TOOLKIT_HOME={})
aclvk_project_test(install_path ASCEND_INSTALL_PATH={})
aclvk_project_test(ddk_path DDK_PATH={} NPU_HOST_LIB={}/acllib/lib64/stub)
aclvk_project_test(default_root --default-root)
aclvk_project_test(setenv_bash ASCEND_HOME_PATH={})
aclvk_project_test(optional_symbols ASCEND_HOME_PATH={})
aclvk_project_test(old_abi ASCEND_HOME_PATH={})
aclvk_installed_test(install.default_root bash "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_default_root.sh" "${prefix}")

add_test(NAME install.exports COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_exports.py"
                                      $<TARGET_FILE:aclvk>)

include("${CMAKE_CURRENT_LIST_DIR}/samples.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/docs.cmake")
