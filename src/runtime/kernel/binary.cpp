#include "runtime/kernel/binary.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/context/current.hpp"
#include "runtime/kernel/custom_function.hpp"
#include "runtime/kernel/glsl.hpp"

namespace aclvk::runtime {
namespace {

std::atomic<bool> any_listener{false};  // never reset; while false, failures need no look-up of their binary

constexpr std::uint32_t kSpirvMagic = 0x07230203;
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

bool ends_with_number(const std::string& name, std::uint64_t number) {
  const std::string suffix = "_" + std::to_string(number);
  return name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

}  // namespace

// Makes the function at the first request for its handle.
void* Binary::handle_of(std::size_t index) {
  const std::lock_guard lock(mutex_);
  check(!retired_, Code::kInvalidHandle, "The binary is being unloaded.");
  void*& known = functions_[index];
  if (!known) {
    const auto made = std::make_shared<CustomFunction>(kernels_[index], *device_, handle);
    known = function_handles().insert(made);
    made->handle = known;
  }
  return known;
}

void* Binary::function(const std::string& name) {
  std::string names;
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const std::string& own = kernels_[i]->interface().name;
    if (own == name) return handle_of(i);
    names += (names.empty() ? "" : ", ") + own;
  }
  fail(Code::kParamInvalid, "The binary has no kernel {}; it has {}.", name, names);
}

void* Binary::function(std::uint64_t number) {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (ends_with_number(kernels_[i]->interface().name, number)) return handle_of(i);
  }
  check(number < kernels_.size(), Code::kParamInvalid,
        "The binary has no kernel whose name ends with _{}, and {} kernels, so none at that place.", number,
        kernels_.size());
  return handle_of(number);
}

void Binary::retire() {
  const std::lock_guard lock(mutex_);
  retired_ = true;
  for (const auto& [index, function] : functions_) function_handles().remove(function);
  functions_.clear();
}

void Binary::set_failure_listener(KernelFailureListener listener, void* user) {
  const std::lock_guard lock(mutex_);
  failure_listener_ = listener;
  failure_user_ = user;
  any_listener = true;
}

// Runs without the lock, because the listener may set another one.
void Binary::notify_failure(FailedTask& failed) {
  std::unique_lock lock(mutex_);
  const auto listener = failure_listener_;
  void* const user = failure_user_;
  lock.unlock();
  if (listener) listener(&failed, user);
}

bool binaries_have_failure_listener() { return any_listener; }

BinaryPtr binary_of_function(const void* function) {
  const auto found = function ? function_handles().find(function) : nullptr;
  const auto* custom = dynamic_cast<const CustomFunction*>(found.get());
  return custom ? binary_handles().find(custom->binary) : nullptr;
}

BinaryHandles& binary_handles() {
  static auto* handles = new BinaryHandles;
  return *handles;
}

BinaryBytesHandles& binary_bytes_handles() {
  static auto* handles = new BinaryBytesHandles;
  return *handles;
}

void check_options(const std::vector<BinaryOption>& options) {
  enum Type { kLazy = 1, kMagic = 2, kProcessorMode = 3 };
  constexpr std::uint32_t kMagics[] = {1129660997, 1094799942, 1095320387};  // ACL_RT_BINARY_MAGIC_*
  for (const BinaryOption& option : options) {
    switch (option.type) {
      case kLazy:
        check(option.value <= 1, Code::kParamInvalid, "Load option LAZY_LOAD is {}; expected 0 or 1.", option.value);
        break;
      case kMagic:
        check(std::find(std::begin(kMagics), std::end(kMagics), option.value) != std::end(kMagics), Code::kParamInvalid,
              "Load option MAGIC is {}, which names no kind of core.", option.value);
        break;
      case kProcessorMode:
        check(option.value <= 2, Code::kParamInvalid, "Load option CPU_KERNEL_MODE is {}; expected 0 to 2.",
              option.value);
        fail(Code::kFeatureNotSupported,
             "Load option CPU_KERNEL_MODE asks for kernels of the device's own processor; a Vulkan device has none.");
      default: fail(Code::kParamInvalid, "Load option {} is unknown; expected 1 to 3.", option.type);
    }
  }
}

void* load_binary(const void* data, std::size_t size, const std::string& name) {
  check(size > 0, Code::kParamInvalid, "{} has no bytes.", name);
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

void unload_binary(const void* handle) {
  const BinaryPtr binary = binary_handles().remove(handle);
  check(binary != nullptr, Code::kInvalidHandle, "binHandle ({}) is not a live binary.", handle);
  binary->retire();
}

}  // namespace aclvk::runtime
