# Read by cpack for each kind of package. A tarball has one folder, and no prefix in it.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
endif()
