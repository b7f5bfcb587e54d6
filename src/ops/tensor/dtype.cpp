#include "ops/tensor/dtype.hpp"

#include <fmt/format.h>

namespace aclvk::ops {
namespace {

struct Name {
  DType dtype;
  const char* text;
};

constexpr Name kNames[] = {
#define DTYPE(member, name, value, bytes, kind) {DType::member, #name},
#include "ops/tensor/dtype.def"
#undef DTYPE
};

}  // namespace

std::string name_of(DType dtype) {
  for (const Name& name : kNames) {
    if (name.dtype == dtype) return name.text;
  }
  return fmt::format("{}, which is none", static_cast<int>(dtype));
}

bool is_wide(DType dtype) { return size_of(dtype) == (kind_of(dtype) == Kind::kComplex ? 16U : 8U); }

DType real_part_of(DType dtype) {
  switch (dtype) {
    case DType::kComplex32: return DType::kFloat16;
    case DType::kComplex64: return DType::kFloat;
    case DType::kComplex128: return DType::kDouble;
    default: return dtype;
  }
}

DType complex_of(DType real) {
  if (real == DType::kFloat16) return DType::kComplex32;
  return real == DType::kDouble ? DType::kComplex128 : DType::kComplex64;
}

bool is_unsigned_wide(DType dtype) {
  return dtype == DType::kUint16 || dtype == DType::kUint32 || dtype == DType::kUint64;
}

std::string DTypeSet::text() const {
  std::string text;
  for (const Name& name : kNames) {
    if (contains(name.dtype)) text += (text.empty() ? "" : ", ") + std::string(name.text);
  }
  return text;
}

}  // namespace aclvk::ops
