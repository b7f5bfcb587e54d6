#include "runtime/context/binary_loading.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/context/current.hpp"
#include "runtime/kernel/binary.hpp"
#include "runtime/kernel/glsl.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint32_t kSpirvMagic = 0x07230203;
// SPIR-V of either byte order begins with the magic number in that order.
constexpr std::uint32_t kSwappedSpirvMagic = 0x03022307;
constexpr const char* kFormatHint =
    "A kernel is SPIR-V, or GLSL that begins with #version; docs/custom-kernels.md tells how to write one.";

std::uint32_t first_word(std::string_view bytes) {
  std::uint32_t word = 0;
  if (bytes.size() >= sizeof(word)) std::memcpy(&word, bytes.data(), sizeof(word));
  return word;
}

std::string first_line_with_error(const std::string& log) {
  const std::size_t error = log.find("ERROR");
  const std::size_t from = error == std::string::npos ? 0 : error;
  return log.substr(from, log.find('\n', from) - from);
}

// Drops zeros at the end, because a program may count the terminating zero of a string in its size.
std::vector<std::uint32_t> compile(std::string_view text, const std::string& name) {
  const std::string source(text.substr(0, text.find_last_not_of('\0') + 1));
  GlslResult result = compile_glsl({name, source});
  if (result.words.empty()) log().error("{} does not compile:\n{}", name, result.log);
  check(!result.words.empty(), Code::kParamInvalid, "{} does not compile: {}", name, first_line_with_error(result.log));
  return std::move(result.words);
}

std::vector<std::uint32_t> read_module(std::string_view bytes, const std::string& name) {
  const std::uint32_t magic = first_word(bytes);
  if (magic == kSpirvMagic) {
    check(bytes.size() % sizeof(magic) == 0, Code::kParamInvalid,
          "{} is SPIR-V of {} bytes; a module is made of words of 4.", name, bytes.size());
    std::vector<std::uint32_t> words(bytes.size() / sizeof(magic));
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  }
  check(magic != kSwappedSpirvMagic, Code::kParamInvalid, "{} is SPIR-V in the byte order of another machine.", name);
  check(
      bytes.substr(0, 4) !=
          "\x7f"
          "ELF",
      Code::kParamInvalid,
      "{} is an ELF file, made by the compiler of an Ascend processor; a Vulkan device cannot run its instructions. {}",
      name, kFormatHint);
  check(looks_like_glsl(bytes), Code::kParamInvalid, "{} is no kernel file. {}", name, kFormatHint);
  return compile(bytes, name);
}

}  // namespace

void* load_binary(const void* data, std::size_t size, const std::string& name) {
  check(size > 0, Code::kParamInvalid, "{} has 0 bytes. {}", name, kFormatHint);
  const ContextPtr context = current_context();
  std::vector<std::uint32_t> module = read_module({static_cast<const char*>(data), size}, name);
  auto kernels = context->device().gpu().load_kernels(std::move(module));
  const auto binary = std::make_shared<Binary>(std::move(kernels), context->shared_device());
  binary->handle = binary_handles().insert(binary);
  return binary->handle;
}

void* load_binary_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  check(file.is_open(), Code::kParamInvalid, "{} cannot be opened: {}.", path, std::strerror(errno));
  std::ostringstream content;
  content << file.rdbuf();  // opening a folder succeeds, reading it fails
  check(!content.bad(), Code::kParamInvalid, "{} cannot be read.", path);
  const std::string bytes = content.str();
  return load_binary(bytes.data(), bytes.size(), path);
}

}  // namespace aclvk::runtime
