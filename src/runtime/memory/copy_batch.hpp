#pragma once

#include <cstddef>
#include <vector>

#include "runtime/memory/async_copy.hpp"

namespace aclvk::runtime {

/// Where an attribute says that one end of a copy is: aclrtMemLocation.
struct DeclaredLocation {
  int type = 0;
  std::uint32_t id = 0;
};

struct BatchAttribute {
  DeclaredLocation dst;
  DeclaredLocation src;
  bool reserved_is_zero = true;
};

/// Many copies between host and device in one call. Attribute i holds for the copies from `attribute_indexes[i]` to the
/// next index.
struct CopyBatch {
  std::vector<CopyArguments> copies;
  std::vector<BatchAttribute> attributes;
  std::vector<std::size_t> attribute_indexes;
  std::size_t attribute_count = 0;  ///< what the program says; the vectors hold no more than there are copies
};

constexpr std::size_t kNoCopy = SIZE_MAX;
constexpr std::size_t kMaxCopies = 4096;

/// Makes the copies in order. When one of them is at fault `fail_index` names it and those before it may have been
/// made; otherwise it is kNoCopy. `stream` null: at once and blocking.
void copy_batch(const CopyBatch& batch, Stream* stream, std::size_t& fail_index);

}  // namespace aclvk::runtime
