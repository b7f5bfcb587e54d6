#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "ops/formatted_by.hpp"

namespace aclvk::ops {

/// What an element is; values are those of aclDataType (static_assert in api/acl_meta.cpp).
enum class DType : int {
#define DTYPE(member, name, value, bytes, kind) member = value,
#include "ops/dtype.def"
#undef DTYPE
};

/// Categories of the promotion rules, lowest first. kOther: types with no arithmetic here (fp8, fp4, int4, strings).
enum class Kind { kBoolean, kInteger, kFloating, kComplex, kOther };

/// Facts about a dtype. A number that is no dtype has 0 bytes, kind kOther and the name "99, which is none".
constexpr std::size_t size_of(DType dtype) {
  switch (dtype) {
#define DTYPE(member, name, value, bytes, kind) \
  case DType::member:                           \
    return bytes;
#include "ops/dtype.def"
#undef DTYPE
  }
  return 0;
}
constexpr Kind kind_of(DType dtype) {
  switch (dtype) {
#define DTYPE(member, name, value, bytes, kind) \
  case DType::member:                           \
    return Kind::kind;
#include "ops/dtype.def"
#undef DTYPE
  }
  return Kind::kOther;
}
std::string name_of(DType dtype);
/// Two elements are a byte, the first its lower half.
constexpr bool is_four_bit(DType dtype) {
  return dtype == DType::kInt4 || dtype == DType::kFloat4E2M1 || dtype == DType::kFloat4E1M2;
}

/// True when the type, or the parts of the complex type, have 64 bits: such kernels need int64 or float64 in shaders.
bool is_wide(DType dtype);
bool is_unsigned_wide(
    DType dtype);  ///< uint16, uint32, uint64: torch's late unsigned types, which promote with nothing

/// A set of dtypes: what an operator supports.
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
