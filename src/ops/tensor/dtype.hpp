#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "ops/tensor/formatted_by.hpp"

namespace aclvk::ops {

/// The type of a tensor's elements. Values equal those of aclDataType (static_assert in api/acl/meta.cpp).
enum class DType : int {
#define DTYPE(member, name, value, bytes, kind) member = value,
#include "ops/tensor/dtype.def"
#undef DTYPE
};

/// Categories of the promotion rules, lowest first. kOther: types without arithmetic here (fp8, fp4, int4, strings).
enum class Kind { kBoolean, kInteger, kFloating, kComplex, kOther };

// Properties of a dtype. A value outside of the enumeration has 0 bytes, kind kOther and the name "99, which is none".

/// Bytes of an element. Returns 1 for packed 4-bit types, of which a byte holds two, and 0 for strings.
constexpr std::size_t size_of(DType dtype) {
  switch (dtype) {
#define DTYPE(member, name, value, bytes, kind) \
  case DType::member:                           \
    return bytes;
#include "ops/tensor/dtype.def"
#undef DTYPE
  }
  return 0;
}
constexpr Kind kind_of(DType dtype) {
  switch (dtype) {
#define DTYPE(member, name, value, bytes, kind) \
  case DType::member:                           \
    return Kind::kind;
#include "ops/tensor/dtype.def"
#undef DTYPE
  }
  return Kind::kOther;
}
/// The name in messages, for instance "FLOAT16".
std::string name_of(DType dtype);
/// Returns true for packed 4-bit types: a byte holds two elements, the first one in its low bits.
constexpr bool is_four_bit(DType dtype) {
  return dtype == DType::kInt4 || dtype == DType::kFloat4E2M1 || dtype == DType::kFloat4E1M2;
}

/// Returns true for 64-bit types and for complex types with 64-bit parts. Kernels for them need int64 or float64
/// support.
bool is_wide(DType dtype);
/// Returns the dtype of the parts of complex numbers; other dtypes unchanged.
DType real_part_of(DType dtype);
/// Returns the complex dtype whose parts hold a real one. BFLOAT16 has a larger range than the halves of COMPLEX32.
DType complex_of(DType real);
/// Returns true for uint16, uint32 and uint64, which promote with no other real type.
bool is_unsigned_wide(DType dtype);

/// A set of dtypes, for instance those that an operator supports.
class DTypeSet {
 public:
  constexpr DTypeSet(std::initializer_list<DType> dtypes) {
    for (const DType dtype : dtypes) bits_ |= bit(dtype);
  }
  constexpr bool contains(DType dtype) const { return (bits_ & bit(dtype)) != 0; }
  constexpr DTypeSet with(DTypeSet other) const {
    DTypeSet both = *this;
    both.bits_ |= other.bits_;
    return both;
  }
  constexpr DTypeSet without(DTypeSet other) const {
    DTypeSet rest = *this;
    rest.bits_ &= ~other.bits_;
    return rest;
  }
  std::string text() const;  ///< "FLOAT, FLOAT16, INT8"

 private:
  static constexpr std::uint64_t bit(DType dtype) {
    const int value = static_cast<int>(dtype);
    return value < 0 || value > 63 ? 0 : std::uint64_t{1} << value;
  }
  std::uint64_t bits_ = 0;
};

}  // namespace aclvk::ops

template <>
struct fmt::formatter<aclvk::ops::DType> : aclvk::ops::FormattedBy<aclvk::ops::name_of> {};
template <>
struct fmt::formatter<aclvk::ops::DTypeSet> : aclvk::ops::FormattedBy<&aclvk::ops::DTypeSet::text> {};
