#include "vk_device/shader_capabilities.hpp"

namespace aclvk::vk {
namespace {

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

const char* lacking(std::uint32_t number, const Features& features) {
  for (const Capability& capability : kCapabilities) {
    if (capability.number == number && !(features.*capability.feature)) return capability.phrase;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> missing_capability(const ShaderWords& shader, const Features& features) {
  constexpr std::size_t kHeaderWords = 5;
  constexpr std::uint32_t kOpCapability = 17;
  // Capabilities come first in a module, before every other instruction.
  for (std::size_t at = kHeaderWords; at + 1 < shader.count && (shader.words[at] & 0xFFFF) == kOpCapability;
       at += shader.words[at] >> 16) {
    if (const char* phrase = lacking(shader.words[at + 1], features)) return phrase;
  }
  return std::nullopt;
}

}  // namespace aclvk::vk
