#pragma once

#include <cstddef>
#include <cstdint>

namespace aclvk::vk {

/// A SPIR-V module.
struct ShaderWords {
  const std::uint32_t* words;
  std::size_t count;
};

/// A shader of the tree below shaders/, as cmake/shaders.cmake compiles it into the library. The variants come from one
/// source; their index is
///
///     (64-bit words ? 4 : 0) | (operands through device addresses ? 2 : 0) | (argument block in memory ? 1 : 0)
///
/// The argument block is 8 bytes for each operand, filled by CommandRecorder, and then Dispatch::arguments:
///
/// - 0: operand i is storage buffer i of set 0; the block is the push constants; slot = byte offset inside the binding
/// - 1: the same, but the block is storage buffer N of set 0 (N operands)
/// - 2: slot = 64-bit device address; the block is the push constants
/// - 3: the same, but the push constants hold one 64-bit address: the block's
/// - 4 to 7: as 0 to 3, for devices on which 64-bit words are faster (quirks.def); absent where it makes no difference,
///   and for most shaders where the block is in memory
///
/// A shader whose block is never as small as push constants has no variants with them.
///
/// The modules are kept packed: a process uses a few of them, and together they are tens of megabytes.
struct EmbeddedShader {
  const char* name;              ///< the stem below shaders/: "elementwise/unary"
  std::uint32_t word_counts[8];  ///< of each variant; 0: it does not exist
  const std::uint64_t* packed;   ///< a zstd frame: the words of variant 0, those of variant 1, and so on
  std::size_t packed_bytes;
};

extern const EmbeddedShader kEmbeddedShaders[];
extern const std::size_t kEmbeddedShaderCount;

}  // namespace aclvk::vk
