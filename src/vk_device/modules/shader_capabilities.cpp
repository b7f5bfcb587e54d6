#include "vk_device/modules/shader_capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "vk_device/modules/module_words.hpp"

namespace aclvk::vk {
namespace {

/// A capability of SPIR-V, and the feature of Vulkan that allows it.
struct Capability {
  std::uint32_t number;  // SPIR-V specification, section "Capability"
  bool Features::*feature;
  const char* phrase;
};

constexpr Capability kCapabilities[] = {
    {9, &Features::float16, "16-bit floats"},       {10, &Features::float64, "64-bit floats"},
    {11, &Features::int64, "64-bit integers"},      {22, &Features::int16, "16-bit integers"},
    {39, &Features::int8, "8-bit integers"},        {4433, &Features::storage16, "16-bit storage"},
    {4434, &Features::storage16, "16-bit storage"}, {4448, &Features::storage8, "8-bit storage"},
    {4449, &Features::storage8, "8-bit storage"},
};

// Capabilities of every usable device.
constexpr std::uint32_t kAlwaysSupported[] = {
    0,     // Matrix
    1,     // Shader
    5347,  // PhysicalStorageBufferAddresses
};

// Capabilities of programs' kernels only.
constexpr Capability kCustomKernelCapabilities[] = {
    {12, &Features::int64_atomics, "64-bit atomics"},
    {4434, &Features::uniform_storage16, "16-bit uniforms"},
    {4441, &Features::variable_pointers_buffer, "variable pointers"},
    {4442, &Features::variable_pointers, "variable pointers"},
    {4449, &Features::uniform_storage8, "8-bit uniforms"},
    {5345, &Features::memory_model, "the Vulkan memory model"},
    {5346, &Features::memory_model_device_scope, "the Vulkan memory model with device scope"},
};

constexpr std::uint32_t kFirstSubgroupCapability = 61;  // GroupNonUniform
constexpr std::uint32_t kLastSubgroupCapability =
    68;  // GroupNonUniformQuad; consecutive, in the order of VkSubgroupFeatureFlagBits

bool lacks_subgroup(std::uint32_t number, const Features& features) {
  return number >= kFirstSubgroupCapability && number <= kLastSubgroupCapability &&
         (features.subgroup_operations >> (number - kFirstSubgroupCapability) & 1) == 0;
}

std::optional<std::string> missing_for_kernels(std::uint32_t number, const Features& features) {
  const auto is = [number](const Capability& capability) { return capability.number == number; };
  bool known =
      std::find(std::begin(kAlwaysSupported), std::end(kAlwaysSupported), number) != std::end(kAlwaysSupported);
  for (const Capability& capability : kCapabilities) {
    if (!is(capability)) continue;
    known = true;
    if (!(features.*capability.feature)) return capability.phrase;
  }
  for (const Capability& capability : kCustomKernelCapabilities) {
    if (!is(capability)) continue;
    known = true;
    if (!(features.*capability.feature)) return capability.phrase;
  }
  if (number >= kFirstSubgroupCapability && number <= kLastSubgroupCapability)
    known = !lacks_subgroup(number, features);
  if (known) return std::nullopt;
  return fmt::format("the SPIR-V capability {}", number);
}

/// Calls `visit` with each capability of the module until it returns a value.
template <typename Visit>
std::optional<std::string> first_missing(const ShaderWords& shader, Visit&& visit) {
  // All OpCapability instructions precede the other instructions of a module.
  for (std::size_t at = kHeaderWords;
       at + 1 < shader.count && (shader.words[at] & spv::OpCodeMask) == spv::OpCapability;
       at += shader.words[at] >> spv::WordCountShift) {
    if (std::optional<std::string> answer = visit(shader.words[at + 1])) return answer;
  }
  return std::nullopt;
}

const char* missing_for_shaders(std::uint32_t number, const Features& features) {
  if (lacks_subgroup(number, features)) return "values handed from thread to thread of a subgroup";
  for (const Capability& capability : kCapabilities) {
    if (capability.number == number && !(features.*capability.feature)) return capability.phrase;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> missing_capability(const ShaderWords& shader, const Features& features) {
  return first_missing(shader, [&](std::uint32_t number) -> std::optional<std::string> {
    if (const char* phrase = missing_for_shaders(number, features)) return phrase;
    return std::nullopt;
  });
}

std::optional<std::string> unusable_capability(const ShaderWords& shader, const Features& features) {
  return first_missing(shader, [&](std::uint32_t number) { return missing_for_kernels(number, features); });
}

}  // namespace aclvk::vk
