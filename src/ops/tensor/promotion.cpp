#include "ops/tensor/promotion.hpp"

#include <algorithm>

namespace aclvk::ops {
namespace {

DType wider(DType first, DType second) { return size_of(first) >= size_of(second) ? first : second; }

// uint8 holds no int8 and the reverse, so the next wider signed type is needed; other pairs have one that holds
// both.
DType promote_integers(DType first, DType second) {
  const bool mixed = (first == DType::kUint8) != (second == DType::kUint8);
  const bool bytes = size_of(first) == 1 && size_of(second) == 1;
  return mixed && bytes ? DType::kInt16 : wider(first, second);
}

// float16 and bfloat16 have the same size, and neither holds the other.
DType promote_floats(DType first, DType second) {
  return first != second && size_of(first) == size_of(second) ? DType::kFloat : wider(first, second);
}

DType promote_complex(DType complex, DType other) {
  if (kind_of(other) == Kind::kComplex) return wider(complex, other);
  return kind_of(other) == Kind::kFloating ? wider(complex, complex_of(other)) : complex;
}

}  // namespace

// As torch.promote_types, but refuses the wider unsigned integers beside another dtype.
std::optional<DType> promote(DType first, DType second) {
  if (first == second) return first;
  if (kind_of(first) < kind_of(second)) std::swap(first, second);
  const Kind high = kind_of(first);
  const Kind low = kind_of(second);
  if (high == Kind::kOther) return std::nullopt;
  if (high == Kind::kComplex) return promote_complex(first, second);
  if (is_unsigned_wide(first) || is_unsigned_wide(second)) return std::nullopt;
  if (high != low) return first;
  return high == Kind::kFloating ? promote_floats(first, second) : promote_integers(first, second);
}

// As in PyTorch, a scalar matters only when its kind is higher than the tensor's; a real scalar then means the
// default dtype, float32.
std::optional<DType> promote_scalar(DType tensor, DType scalar) {
  const Kind kind = kind_of(scalar);
  if (kind == Kind::kOther || kind_of(tensor) == Kind::kOther) return std::nullopt;
  if (kind <= kind_of(tensor)) return tensor;
  switch (kind) {
    case Kind::kComplex: return complex_of(tensor);
    case Kind::kFloating: return DType::kFloat;
    default: return scalar;
  }
}

bool can_cast(DType from, DType to) {
  const Kind source = kind_of(from);
  const Kind target = kind_of(to);
  if (source == Kind::kOther || target == Kind::kOther) return from == to;
  if (source == Kind::kComplex) return target == Kind::kComplex;
  if (target == Kind::kBoolean) return source == Kind::kBoolean;
  return source != Kind::kFloating || target != Kind::kInteger;
}

}  // namespace aclvk::ops
