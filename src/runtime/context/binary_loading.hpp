#pragma once

#include <cstddef>
#include <string>

namespace aclvk::runtime {

/// Loads a SPIR-V module in the current context. Compiles GLSL text first. Throws kParamInvalid for anything else.
void* load_binary(const void* data, std::size_t size, const std::string& name);
void* load_binary_file(const std::string& path);

}  // namespace aclvk::runtime
