#pragma once

#include <string_view>
#include <vector>

#include "vk_device/embedded_shaders.hpp"

namespace aclvk::vk {

/// The embedded shader of this name, or null.
const EmbeddedShader* find_shader(std::string_view name);

/// The module of a variant; no words where it does not exist.
std::vector<std::uint32_t> unpack(const EmbeddedShader& shader, std::size_t variant);

/// For tests: makes a shader known that is not below shaders/. It must live for ever; call it before any thread
/// records.
void add_test_shader(const EmbeddedShader& shader);

}  // namespace aclvk::vk
