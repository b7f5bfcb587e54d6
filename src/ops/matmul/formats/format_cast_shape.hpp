#pragma once

#include "ops/executor/args.hpp"
#include "ops/tensor/shape.hpp"

namespace aclvk::ops {

/// The memory layout of aclnnNpuFormatCast's result.
struct StoredAs {
  Shape storage;
  int format;
};

/// Returns the layout of srcTensor (a handle) in another format. `other_dtype` is the aclDataType of a product's other
/// operand, or -1: INT32 and FLOAT weights that pack smaller numbers have blocks as wide as those of that dtype. 161001
/// and 161002 as interface/docs/helpers.tsv says.
StoredAs stored_as(const aclTensor* src, int format, int other_dtype);

}  // namespace aclvk::ops
