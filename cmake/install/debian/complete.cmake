# What the Debian package has outside of the tree.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(root "${CPACK_TEMPORARY_DIRECTORY}")
  file(WRITE "${root}/etc/ld.so.conf.d/aclvk.conf" "${CPACK_ACLVK_PACKAGE_HOME}/lib64\n")
  file(MAKE_DIRECTORY "${root}/usr/bin" "${root}/usr/share/doc/aclvk")
  file(CREATE_LINK "${CPACK_ACLVK_PACKAGE_HOME}/bin/aclvk" "${root}/usr/bin/aclvk" SYMBOLIC)
  configure_file("${CPACK_RESOURCE_FILE_LICENSE}" "${root}/usr/share/doc/aclvk/copyright" COPYONLY)
endif()
