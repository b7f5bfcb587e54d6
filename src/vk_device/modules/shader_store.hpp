#pragma once

#include <string_view>
#include <vector>

#include "vk_device/modules/embedded_shaders.hpp"

namespace aclvk::vk {

/// Returns the embedded shader of this name, or null.
const EmbeddedShader* find_shader(std::string_view name);

/// Decompresses the module of a variant; empty when the variant does not exist.
std::vector<std::uint32_t> unpack(const EmbeddedShader& shader, std::size_t variant);

/// Registers a test's shader, which must live as long as the process. Must be called before any thread records.
void add_test_shader(const EmbeddedShader& shader);

}  // namespace aclvk::vk
