#include "vk_device/shader_store.hpp"

#include <unordered_map>

namespace aclvk::vk {
namespace {

using Shaders = std::unordered_map<std::string_view, const EmbeddedShader*>;

Shaders& shaders() {
  static Shaders table = [] {
    Shaders all;
    for (std::size_t i = 0; i < kEmbeddedShaderCount; ++i) all.emplace(kEmbeddedShaders[i].name, &kEmbeddedShaders[i]);
    return all;
  }();
  return table;
}

}  // namespace

const EmbeddedShader* find_shader(std::string_view name) {
  const auto it = shaders().find(name);
  return it == shaders().end() ? nullptr : it->second;
}

void add_test_shader(const EmbeddedShader& shader) { shaders()[shader.name] = &shader; }

}  // namespace aclvk::vk
