# Static libraries for SPIR-V: the validator of SPIRV-Tools and the reflection of SPIRV-Cross, for the kernels of programs; the
# optimizer of SPIRV-Tools, for CPU drivers (specialize_modules in vk_device/gpu/quirks.def). Debian builds them with
# position-independent code, so an installation needs none of these packages.
include_guard(GLOBAL)

find_library(ACLVK_SPIRV_TOOLS NAMES libSPIRV-Tools.a REQUIRED)
find_library(ACLVK_SPIRV_OPTIMIZER NAMES libSPIRV-Tools-opt.a REQUIRED)
find_library(ACLVK_SPIRV_CROSS NAMES libspirv-cross-core.a REQUIRED)
find_path(ACLVK_SPIRV_TOOLS_INCLUDE spirv-tools/libspirv.hpp REQUIRED)
find_path(ACLVK_SPIRV_CROSS_INCLUDE spirv_cross/spirv_cross.hpp REQUIRED)

add_library(aclvk_spirv INTERFACE)
target_include_directories(aclvk_spirv SYSTEM INTERFACE "${ACLVK_SPIRV_TOOLS_INCLUDE}" "${ACLVK_SPIRV_CROSS_INCLUDE}")
target_link_libraries(aclvk_spirv INTERFACE "${ACLVK_SPIRV_CROSS}" "${ACLVK_SPIRV_OPTIMIZER}" "${ACLVK_SPIRV_TOOLS}")
