# "cpack" in the build folder makes a Debian package and a tarball. The package has the tree in /opt/aclvk, the program in
# /usr/bin, and links at CANN's usual place; the tarball is the tree alone, for any folder.
set(CPACK_PACKAGE_NAME aclvk)
set(CPACK_PACKAGE_VENDOR "The aclvk project")
set(CPACK_PACKAGE_CONTACT "The aclvk project <aclvk@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "Programs that were written for an Ascend NPU, with the AscendCL and aclnn interfaces, run on a GPU with Vulkan 1.2, or on \
a CPU with Mesa's lavapipe. With headers, libraries under CANN's names, set_env.sh and the program aclvk.")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME "aclvk-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}-linux")

# The library opens Vulkan's loader by name, so dpkg-shlibdeps does not find it; debian/config.cmake adds the linked packages.
# The loader's package has no driver.
set(CPACK_PACKAGING_INSTALL_PREFIX "${ACLVK_PACKAGE_HOME}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libvulkan1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, vulkan-validationlayers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
foreach(file postinst prerm)
  configure_file("${parts}/debian/${file}.in" "${made}/debian/${file}" @ONLY)
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${made}/debian/postinst" "${made}/debian/prerm" "${parts}/debian/triggers"
                                       "${parts}/debian/conffiles")
set(CPACK_ACLVK_BUILD "${CMAKE_BINARY_DIR}")  # cpack passes variables with this prefix to the script
set(CPACK_PROJECT_CONFIG_FILE "${parts}/debian/config.cmake")

include(CPack)
