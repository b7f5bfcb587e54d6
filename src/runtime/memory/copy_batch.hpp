#pragma once

#include <cstddef>
#include <vector>

#include "runtime/memory/async_copy.hpp"

namespace aclvk::runtime {

/// aclrtMemLocation: the location that an attribute declares for one end of a copy.
struct DeclaredLocation {
  int type = 0;
  std::uint32_t id = 0;
};

struct BatchAttribute {
  DeclaredLocation dst;
  DeclaredLocation src;
  bool reserved_is_zero = true;
};

/// Copies between host and device in one call (aclrtMemcpyBatch). Attribute i applies to the copies from
/// `attribute_indexes[i]` up to the next index.
struct CopyBatch {
  std::vector<CopyArguments> copies;
  std::vector<BatchAttribute> attributes;
  std::vector<std::size_t> attribute_indexes;
  std::size_t attribute_count = 0;  ///< as the program passes it; the vectors are cut at the number of copies
};

constexpr std::size_t kNoCopy = SIZE_MAX;
constexpr std::size_t kMaxCopies = 4096;  ///< of the official runtime (runtime-semantics 7.2.5)

/// Makes the copies in order; blocking where `stream` is null. When one of them fails, `fail_index` is its index, and
/// copies before it may have been made. Otherwise `fail_index` is kNoCopy.
void copy_batch(const CopyBatch& batch, Stream* stream, std::size_t& fail_index);

}  // namespace aclvk::runtime
