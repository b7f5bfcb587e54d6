#include "vk_device/modules/shader_store.hpp"

#include <zstd.h>

#include <numeric>
#include <unordered_map>

#include "base/error.hpp"

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
  const auto* counts = shader.word_counts;
  if (counts[variant] == 0) return {};
  // All variants share a frame, because they compress well together; it is decompressed as a whole.
  const std::size_t before = std::accumulate(counts, counts + variant, std::size_t{0});
  std::vector<std::uint32_t> words(std::accumulate(counts, counts + std::size(shader.word_counts), std::size_t{0}));
  const std::size_t bytes = words.size() * sizeof(std::uint32_t);
  const std::size_t got = ZSTD_decompress(words.data(), bytes, shader.packed, shader.packed_bytes);
  check(got == bytes, Code::kRuntimeInternal, "shader {} in the library is damaged: {} bytes unpack instead of {}.",
        shader.name, ZSTD_isError(got) ? 0 : got, bytes);
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(before);
  return {first, first + counts[variant]};
}

void add_test_shader(const EmbeddedShader& shader) { shaders()[shader.name] = &shader; }

}  // namespace aclvk::vk
