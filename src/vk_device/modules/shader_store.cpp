#include "vk_device/modules/shader_store.hpp"

#include <zstd.h>

#include <unordered_map>

#include "base/error.hpp"
#include "vk_device/modules/module_decoder.hpp"

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

std::vector<std::uint32_t> unpack(const EmbeddedShader& shader, std::size_t variant) {
  if (shader.word_counts[variant] == 0) return {};
  const ShaderFamily& family = *shader.family;
  std::vector<std::uint8_t> bytes(family.bytes);
  const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), family.packed, family.packed_bytes);
  check(got == bytes.size(), Code::kRuntimeInternal,
        "shader {} in the library is damaged: {} bytes unpack instead of {}.", shader.name, ZSTD_isError(got) ? 0 : got,
        bytes.size());
  std::vector<std::uint32_t> words =
      decode_module({bytes.data(), bytes.size()}, shader.offsets[variant], shader.word_counts[variant]);
  check(!words.empty(), Code::kRuntimeInternal,
        "shader {} in the library is damaged: the bytes of variant {} are no module of {} words.", shader.name, variant,
        shader.word_counts[variant]);
  return words;
}

void add_test_shader(const EmbeddedShader& shader) { shaders()[shader.name] = &shader; }

}  // namespace aclvk::vk
