#pragma once

#include <string_view>

#include "vk_device/embedded_shaders.hpp"

namespace aclvk::vk {

/// The embedded shader of this name, or null.
const EmbeddedShader* find_shader(std::string_view name);

/// For tests: makes a shader known that is not below shaders/. It must live for ever; call it before any thread
/// records.
void add_test_shader(const EmbeddedShader& shader);

}  // namespace aclvk::vk
