#pragma once

#include <cstddef>
#include <cstdint>

namespace aclvk::vk {

/// A SPIR-V module.
struct ShaderWords {
  const std::uint32_t* words;
  std::size_t count;
};

/// The modules of all shaders that are compiled from one source.
struct ShaderFamily {
  const std::uint64_t* packed;  ///< a zstd frame
  std::size_t packed_bytes;
  std::size_t bytes;  ///< size of what the frame decompresses to
};

/// A shader below shaders/, compiled into the library by cmake/shaders.cmake in up to eight variants. The index of a
/// variant is
///
///     (64-bit words ? 4 : 0) | (operands through device addresses ? 2 : 0) | (argument block in memory ? 1 : 0)
///
/// The argument block has an 8-byte slot for each operand, filled by CommandRecorder, followed by Dispatch::arguments:
///
/// - 0: operand i is storage buffer i of set 0, its slot is a byte offset in the binding; the block is in the push
///   constants
/// - 1: as 0, but the block is storage buffer N of set 0, where N is the number of operands
/// - 2: the slot is a 64-bit device address; the block is in the push constants
/// - 3: as 2, but the push constants hold the 64-bit address of the block
/// - 4 to 7: as 0 to 3, with 64-bit loads and stores, for devices that prefer them (wide_words in quirks.def); shaders
///   that gain nothing from it, and most shaders with the block in memory, do not have them
///
/// Shaders whose block never fits into 128 bytes have no variants with push constants.
///
/// The modules are encoded (cmake/module_encoder.py) and compressed together with those of all shaders of the source:
/// they are a hundred megabytes in all, and a process uses a few of them.
struct EmbeddedShader {
  const char* name;              ///< the stem of its file below shaders/: "elementwise/unary"
  std::uint32_t word_counts[8];  ///< size of each variant; 0: it does not exist
  std::uint32_t offsets[8];      ///< of each variant in the decompressed family
  const ShaderFamily* family;
};

extern const EmbeddedShader kEmbeddedShaders[];
extern const std::size_t kEmbeddedShaderCount;

}  // namespace aclvk::vk
