#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// Bytes of a family of modules, as cmake/module_encoder.py encodes them.
struct EncodedFamily {
  const std::uint8_t* bytes;
  std::size_t count;
};

/// Decodes the module of this many words at an offset of its family. Empty if the bytes are damaged: nothing outside
/// them is read, and the words have to match the checksum of the module.
std::vector<std::uint32_t> decode_module(const EncodedFamily& family, std::size_t offset, std::size_t words);

}  // namespace aclvk::vk
