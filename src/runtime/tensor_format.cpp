#include "runtime/tensor_format.hpp"

#include <algorithm>
#include <string_view>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

/// Returns the axes of an aclFormat in their order; empty for a format that is no permutation of axes.
std::string_view axes_of(int format) {
  switch (format) {
    case 0: return "NCHW";
    case 1: return "NHWC";
    case 16: return "HWCN";
    case 27: return "NDHWC";
    case 30: return "NCDHW";
    default: return {};
  }
}

template <typename Values>
Values reordered(const Values& values, std::string_view from, std::string_view to) {
  if (values.size() != from.size()) return {};
  Values result;
  for (const char axis : to) result.push_back(values[from.find(axis)]);
  return result;
}

}  // namespace

TensorDesc in_format(const TensorDesc& desc, int format) {
  TensorDesc result = desc;
  if (format == desc.format) return result;
  const std::string_view from = axes_of(desc.format);
  const std::string_view to = axes_of(format);
  check(!from.empty() && std::is_permutation(from.begin(), from.end(), to.begin(), to.end()),
        Code::kFeatureNotSupported,
        "A tensor of format {} cannot be described in format {}: they differ in more than "
        "the order of their axes.",
        desc.format, format);
  check(desc.dims.size() == from.size(), Code::kInvalidParam, "The tensor has {} dims; format {} ({}) has {}.",
        desc.dims.size(), desc.format, from, from.size());
  result.format = format;
  result.dims = reordered(desc.dims, from, to);
  result.shape_ranges = reordered(desc.shape_ranges, from, to);
  result.storage_format = -1;  // undefined: the program sets the storage layout of the new description
  result.storage_dims.clear();
  return result;
}

}  // namespace aclvk::runtime
