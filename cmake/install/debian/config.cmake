# Read by cpack for each kind of package.
if(CPACK_GENERATOR STREQUAL "TGZ")  # one folder, and no prefix in it
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
endif()

# Finds the packages that the programs and libraries are linked with. cpack can call dpkg-shlibdeps itself, but first inspects each of
# the three thousand headers, with two processes for each.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(folder "${CPACK_ACLVK_BUILD}/shlibdeps")
  file(WRITE "${folder}/debian/control" "Source: aclvk\n\nPackage: aclvk\nArchitecture: any\n")
  file(GLOB programs "${CPACK_ACLVK_BUILD}/bin/*" "${CPACK_ACLVK_BUILD}/lib64/libaclvk*.so")
  execute_process(
    COMMAND dpkg-shlibdeps "-l${CPACK_ACLVK_BUILD}/lib64" --ignore-missing-info -O ${programs}
    WORKING_DIRECTORY "${folder}"
    OUTPUT_VARIABLE answer
    ERROR_VARIABLE complaint
    RESULT_VARIABLE failed)
  if(failed OR NOT answer MATCHES "^shlibs:Depends=([^\n]+)")
    message(FATAL_ERROR "dpkg-shlibdeps, of the package dpkg-dev, does not tell what the package depends on: ${complaint}")
  endif()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CPACK_DEBIAN_PACKAGE_DEPENDS}, ${CMAKE_MATCH_1}")
endif()
