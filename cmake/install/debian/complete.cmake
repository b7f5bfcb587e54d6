# What the Debian package has outside of the tree. cpack installs into a folder that has the system's folders in it.
if(root MATCHES "^(.*/_CPack_Packages/[^/]+/DEB/[^/]+)/")
  set(system "${CMAKE_MATCH_1}")
  file(WRITE "${system}/etc/ld.so.conf.d/aclvk.conf" "${ACLVK_HOME}/lib64\n")
  file(MAKE_DIRECTORY "${system}/usr/bin")
  file(CREATE_LINK "${ACLVK_HOME}/bin/aclvk" "${system}/usr/bin/aclvk" SYMBOLIC)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/../../../LICENSE" "${system}/usr/share/doc/aclvk/copyright" COPYONLY)
endif()
