# The packages: made from this build, looked into, and used from where they are unpacked. scripts/test_clean_root installs the
# Debian package into an empty system, which takes root and a network.
include_guard(GLOBAL)

find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS AND NOT ACLVK_SANITIZE)  # packages hold no sanitizers
  set(packages "${CMAKE_BINARY_DIR}/packages")
  set(check_package "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/support/checks/check_package.py" "${packages}")
  # Fast compression: nobody keeps these.
  add_test(NAME package.make COMMAND "${CMAKE_CPACK_COMMAND}" -B "${packages}" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip
           WORKING_DIRECTORY "${CMAKE_BINARY_DIR}")
  set_tests_properties(package.make PROPERTIES FIXTURES_SETUP packages TIMEOUT 900)
  foreach(part control contents tree tarball)
    add_test(NAME package.${part} COMMAND ${check_package} ${part})
    set_tests_properties(package.${part} PROPERTIES ENVIRONMENT "${test_environment}" FIXTURES_REQUIRED packages TIMEOUT 600)
  endforeach()
endif()
