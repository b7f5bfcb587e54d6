# Adds the files of the Debian package outside of the tree. cpack installs into a folder that stands for the root of the system.
if(root MATCHES "^(.*/_CPack_Packages/[^/]+/DEB/[^/]+)/")
  set(system "${CMAKE_MATCH_1}")
  file(WRITE "${system}/etc/ld.so.conf.d/aclvk.conf" "${ACLVK_HOME}/lib64\n")
  file(MAKE_DIRECTORY "${system}/usr/bin")
  file(CREATE_LINK "${ACLVK_HOME}/bin/aclvk" "${system}/usr/bin/aclvk" SYMBOLIC)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/../../../LICENSE" "${system}/usr/share/doc/aclvk/copyright" COPYONLY)
endif()
