#pragma once

#include "ops/shape.hpp"

namespace aclvk::ops {

/// What aclnnNpuFormatCast's result looks like in memory.
struct StoredAs {
  Shape storage;
  int format;
};

/// For srcTensor (a handle) in another format. `other_dtype` is the aclDataType of a product's other operand, or -1:
/// INT32 and FLOAT weights that stand for smaller numbers lie in blocks as wide as those. 161001 and 161002 as
/// api/docs/helpers.tsv says.
StoredAs stored_as(const void* src, int format, int other_dtype);

}  // namespace aclvk::ops
