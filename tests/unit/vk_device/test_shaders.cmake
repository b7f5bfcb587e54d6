# Compiles the kernel of the vk_device tests into generated/shaders/test_saxpy.inc.
function(aclvk_vk_device_test_shaders target)
  find_program(ACLVK_GLSLANG glslangValidator REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
  set(source "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/saxpy.comp")
  set(folder "${CMAKE_BINARY_DIR}/generated/shaders")
  set(part "${folder}/test_saxpy.modules")
  add_custom_command(
    OUTPUT "${part}"
    COMMAND "${Python3_EXECUTABLE}" "${root}/cmake/compile_shader.py" --glslang "${ACLVK_GLSLANG}" --zstd "${ACLVK_ZSTD}"
            --name test_saxpy
            --out "${part}" "${source}"
    DEPENDS "${source}" "${root}/cmake/compile_shader.py"
    COMMENT "Shader test_saxpy"
    VERBATIM)
  aclvk_pack_shaders("${folder}" test_saxpy test_saxpy)
  target_sources(${target} PRIVATE "${folder}/test_saxpy.inc")
  target_include_directories(${target} PRIVATE "${CMAKE_BINARY_DIR}/generated")
endfunction()
