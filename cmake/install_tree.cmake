# The exported symbols of the library, and "cmake --install", which installs a tree like CANN's:
#
#     include/  lib64/                         headers; libaclvk.so and CANN's names (cmake/split_libraries.cmake)
#     lib64/stub/                              CANN's names once more, for builds that link there
#     <arch>-linux/{include,lib64,devlib}      links to them
#     acllib/ runtime/ compiler/               the same for older build scripts: {include,lib64}
#     set_env.sh  bin/setenv.bash              ASCEND_HOME_PATH and its relatives
#     version.info  version.cfg                the interface version that the headers follow
#     opp/                                     the folder of ASCEND_OPP_PATH, without operators of other vendors
#     <arch>-linux/ascend_toolkit_install.info the same version, for tools that read this file
#     lib64/cmake/aclvk/                       find_package(aclvk); Debian's CMake searches lib/, which has a link
include(CMakePackageConfigHelpers)
include(split_libraries)  # for the names

target_link_options(aclvk PRIVATE "LINKER:--version-script=${CMAKE_SOURCE_DIR}/cmake/exports.map")
# dlclose() does not unload the library: its threads and its exit handlers last as long as the process.
target_link_options(aclvk PRIVATE "LINKER:-z,nodelete")
set_property(TARGET aclvk APPEND PROPERTY LINK_DEPENDS "${CMAKE_SOURCE_DIR}/cmake/exports.map")

set(ACLVK_ARCHITECTURE_DIR "${CMAKE_SYSTEM_PROCESSOR}-linux")
set(ACLVK_PACKAGE_HOME /opt/aclvk)  # where the Debian package puts the tree
set(parts "${CMAKE_SOURCE_DIR}/cmake/install")
set(made "${CMAKE_BINARY_DIR}/install_tree")

file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/opp")  # "aclvk run" in the build folder names it, too
install(TARGETS aclvk LIBRARY DESTINATION lib64)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/" DESTINATION include)

foreach(file version.info version.cfg install.info aclvkConfig.cmake)
  configure_file("${parts}/${file}.in" "${made}/${file}" @ONLY)
endforeach()
write_basic_package_version_file("${made}/aclvkConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${made}/version.info" "${made}/version.cfg" DESTINATION .)
install(FILES "${made}/install.info" DESTINATION "${ACLVK_ARCHITECTURE_DIR}" RENAME ascend_toolkit_install.info)
install(FILES "${made}/aclvkConfig.cmake" "${made}/aclvkConfigVersion.cmake" DESTINATION lib64/cmake/aclvk)

# Headers that include those of operators, for programs that name them without their folder, or in the older folder level2.
file(GLOB operator_headers RELATIVE "${CMAKE_SOURCE_DIR}/include/aclnnop" "${CMAKE_SOURCE_DIR}/include/aclnnop/*.h")
foreach(header IN LISTS operator_headers)
  file(CONFIGURE OUTPUT "${made}/include/${header}" CONTENT "/* ${header} without its folder. */\n#include \"aclnnop/${header}\"\n")
  if(NOT header STREQUAL aclnn_util.h)
    file(CONFIGURE OUTPUT "${made}/include/aclnnop/level2/${header}"
         CONTENT "/* ${header} in its older folder. */\n#include \"../${header}\"\n")
  endif()
endforeach()
install(DIRECTORY "${made}/include/" DESTINATION include)

install(FILES "${parts}/setenv.bash" DESTINATION bin)
install(PROGRAMS "${parts}/aclvk-default-root" DESTINATION bin)

# Runs at installation: the prefix is known only then (cmake --install --prefix).
install(CODE "
  get_filename_component(ACLVK_HOME \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
  set(root \"\$ENV{DESTDIR}\${ACLVK_HOME}\")
  if(ACLVK_HOME MATCHES /_CPack_Packages/)  # cpack packs what it installs there
    set(ACLVK_HOME \"${ACLVK_PACKAGE_HOME}\")
  endif()
  include(\"${parts}/debian/complete.cmake\")
  configure_file(\"${parts}/set_env.sh.in\" \"\${root}/set_env.sh\" @ONLY)
  set(arch \"${ACLVK_ARCHITECTURE_DIR}\")
  file(MAKE_DIRECTORY \"\${root}/opp\")
  file(CREATE_LINK ../version.info \"\${root}/opp/version.info\" SYMBOLIC)
  foreach(part \"\${arch}\" acllib runtime compiler)
    file(MAKE_DIRECTORY \"\${root}/\${part}\")
    file(CREATE_LINK ../include \"\${root}/\${part}/include\" SYMBOLIC)
    file(CREATE_LINK ../lib64 \"\${root}/\${part}/lib64\" SYMBOLIC)
    file(CREATE_LINK ../version.info \"\${root}/\${part}/version.info\" SYMBOLIC)
  endforeach()
  file(CREATE_LINK ../lib64 \"\${root}/\${arch}/devlib\" SYMBOLIC)
  file(MAKE_DIRECTORY \"\${root}/lib64/stub\" \"\${root}/lib/cmake\")
  foreach(name ${ACLVK_SPLIT_LIBRARY_NAMES})
    file(CREATE_LINK ../libaclvk.so \"\${root}/lib64/stub/lib\${name}.so\" SYMBOLIC)
  endforeach()
  file(CREATE_LINK ../../lib64/cmake/aclvk \"\${root}/lib/cmake/aclvk\" SYMBOLIC)
")

include(packages)
