// Modules that a program brings: whatever the bytes are, they are refused with a code or have an interface that holds
// together. Nothing is launched: what a kernel does is the program's affair.
#include <cstring>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bytes.hpp"
#include "finding.hpp"
#include "runtime/context/binary_loading.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/kernel/binary.hpp"
#include "runtime/kernel/function.hpp"
#include "vk_device/modules/module_reflection.hpp"
#include "vk_device/modules/module_rewrite.hpp"

namespace aclvk::fuzz {
namespace {

using Words = std::vector<std::uint32_t>;
using vk::KernelInterface;
using vk::KernelParameter;

constexpr std::size_t kMostParameters = 4096;

void set_device() {
  static const bool done = (runtime::set_device(0), true);
  expect(done, "There is no device 0.");
}

void check_parameters(const KernelInterface& kernel) {
  std::uint64_t end = 0;
  for (const KernelParameter& parameter : kernel.parameters) {
    end = std::uint64_t{parameter.offset} + parameter.bytes;
    expect(end <= kernel.argument_bytes(), "Parameter {} of {} ends at {}; there are {} bytes of arguments.",
           parameter.name, kernel.name, end, kernel.argument_bytes());
    if (parameter.kind == KernelParameter::Kind::kBuffer) {
      expect(parameter.offset + 8 <= kernel.slot_bytes(), "Buffer {} of {} is outside the slots.", parameter.name,
             kernel.name);
    }
  }
  const std::uint64_t bytes = std::uint64_t{kernel.buffers} * 8 + kernel.block_bytes;
  expect(bytes == kernel.argument_bytes(), "The arguments of {} have {} bytes, which leaves 32 bits.", kernel.name,
         bytes);
}

/// What the library keeps of a module that it has taken.
void check_interfaces(const Words& words) {
  for (const KernelInterface& kernel : vk::reflect(words)) {
    check_parameters(kernel);
    const Words changed = vk::with_block_in_memory(words, kernel.buffers);
    expect(changed.size() >= words.size(), "A module of {} words has {} with its block in memory.", words.size(),
           changed.size());
    // It may be invalid, and is refused then; looking must not crash.
    spvtools::SpirvTools(SPV_ENV_VULKAN_1_2).Validate(changed);
  }
}

void check_function(const void* handle, const std::string& name) {
  const auto function = runtime::function_handles().find(handle);
  expect(function != nullptr && function->name() == name, "Kernel {} is not the one that was asked for.", name);
  expect(function->parameters().size() < kMostParameters, "Kernel {} has {} parameters.", name,
         function->parameters().size());
}

void look_at(runtime::Binary& binary, const Words& words) {
  std::uint64_t entry = 0;
  for (const std::string& name : vk::kernel_names(words)) {
    check_function(binary.function(name), name);
    binary.function(entry);
    ++entry;
  }
  check_interfaces(words);
}

Words words_of(const std::uint8_t* data, std::size_t size) {
  Words words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  return words;
}

void load(const std::uint8_t* data, std::size_t size) {
  void* handle = nullptr;
  try {
    handle = runtime::load_binary(data, size, "The module");
  } catch (const Error& error) {
    const bool known = error.code() == Code::kParamInvalid || error.code() == Code::kFeatureNotSupported;
    expect(known, "A module is refused with {}: {}", static_cast<int>(error.code()), error.sentence());
    return;
  }
  look_at(*runtime::binary_handles().find(handle), words_of(data, size));
  runtime::unload_binary(handle);
}

}  // namespace
}  // namespace aclvk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aclvk::fuzz;
  set_device();
  // GLSL goes to a compiler in a process of its own, which is not what is looked at here.
  const bool text = size > 0 && (data[0] == '#' || data[0] == '/' || data[0] == ' ' || data[0] == '\n');
  if (size > 0 && !text) load(data, size);
  return 0;
}
