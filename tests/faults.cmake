# A Vulkan layer for tests, that lets calls fail. Its list of commands comes from the registry of the installed headers.
include_guard(GLOBAL)

set(layer_dir "${CMAKE_CURRENT_SOURCE_DIR}/faults/layer")
set(layer_build "${CMAKE_CURRENT_BINARY_DIR}/fault_layer")
find_file(ACLVK_VULKAN_REGISTRY vk.xml PATHS "${Vulkan_INCLUDE_DIR}/../share/vulkan/registry" REQUIRED)
set(commands "${layer_build}/generated/commands.def")
add_custom_command(
  OUTPUT "${commands}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${layer_build}/generated"
  COMMAND "${Python3_EXECUTABLE}" "${layer_dir}/gen_commands.py" "${ACLVK_VULKAN_REGISTRY}"
          "${Vulkan_INCLUDE_DIR}/vulkan/vulkan_core.h" "${commands}"
  DEPENDS "${layer_dir}/gen_commands.py" "${ACLVK_VULKAN_REGISTRY}"
  VERBATIM)

add_library(aclvk_fault_layer MODULE "${commands}" "${layer_dir}/commands.cpp" "${layer_dir}/fault.cpp"
                                     "${layer_dir}/layer.cpp" "${layer_dir}/objects.cpp")
target_include_directories(aclvk_fault_layer PRIVATE "${layer_build}/generated")
target_link_libraries(aclvk_fault_layer PRIVATE Vulkan::Headers aclvk_warnings)
set(manifests "${layer_build}/vulkan/explicit_layer.d")  # below a folder for data, as the loader expects it
set_target_properties(aclvk_fault_layer PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${manifests}")
configure_file("${layer_dir}/aclvk_faults.json" "${manifests}/aclvk_faults.json" COPYONLY)

# Main stories of programs, in which each use of Vulkan and of host memory fails once. It takes a while to let every use
# fail, so that the tests leave some out; ACLVK_FAULT_STRIDE=1 in the environment leaves out none.
set(ACLVK_FAULT_STRIDE 11 CACHE STRING "The tests let every how-manieth use fail")
set(fault_stride ${ACLVK_FAULT_STRIDE})
if(ACLVK_SANITIZE)
  math(EXPR fault_stride "${ACLVK_FAULT_STRIDE} * 3")  # each use takes a process, and that takes seconds there
endif()
file(GLOB fault_sources CONFIGURE_DEPENDS faults/*.cpp)
aclvk_test_executable(aclvk_fault_tests SOURCES ${fault_sources} ${story_sources} LIBRARIES aclvk ${CMAKE_DL_LIBS})
target_compile_definitions(aclvk_fault_tests PRIVATE ACLVK_FAULT_STRIDE=${fault_stride})
if(ACLVK_SANITIZE)
  target_compile_definitions(aclvk_fault_tests PRIVATE ACLVK_SANITIZED)
endif()
add_dependencies(aclvk_fault_tests aclvk_fault_layer aclvk_peer)
aclvk_discover(aclvk_fault_tests "*")
