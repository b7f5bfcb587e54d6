#pragma once

#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include "support/op_fixture.hpp"

namespace aclvk::test {

// What the operators on one tensor mean, on the host: long double functions of the C library, and a few of our own.

/// The dtype of the result for operands of a dtype.
enum class Result {
  kSame,
  kFloat,  ///< of integers a float, else the same
  kTruth,  ///< bool
  kPart    ///< of complex numbers a real, of integers (but for kSame's) a float
};

/// An operator as a test calls it. The dtypes are letters, see types_of().
struct UnaryOp {
  std::string name;
  Result result;
  std::string types;
  std::function<Real(Real)> real;
  std::function<Number(Number)> complex;  ///< empty for operators on reals
  std::function<aclnnStatus(const aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**)> plan;
  Launch launch;
  std::function<aclnnStatus(aclTensor*, uint64_t*, aclOpExecutor**)> plan_in_place;  ///< empty if there is none
  Launch launch_in_place = nullptr;
};

inline std::vector<aclDataType> types_of(const std::string& letters) {
  std::vector<aclDataType> types;
  for (const char letter : letters) {
    switch (letter) {
      case 'F': types.push_back(ACL_FLOAT); break;
      case 'H': types.push_back(ACL_FLOAT16); break;
      case 'B': types.push_back(ACL_BF16); break;
      case 'D': types.push_back(ACL_DOUBLE); break;
      case '1': types.push_back(ACL_INT8); break;
      case '2': types.push_back(ACL_INT16); break;
      case '4': types.push_back(ACL_INT32); break;
      case '8': types.push_back(ACL_INT64); break;
      case 'u': types.push_back(ACL_UINT8); break;
      case '?': types.push_back(ACL_BOOL); break;
      case 'c': types.push_back(ACL_COMPLEX64); break;
      case 'z': types.push_back(ACL_COMPLEX128); break;
      case 'h': types.push_back(ACL_COMPLEX32); break;
      case 'v': types.push_back(ACL_UINT16); break;
      case 'w': types.push_back(ACL_UINT32); break;
      case 'x': types.push_back(ACL_UINT64); break;
      default: ADD_FAILURE() << "no dtype has the letter " << letter;
    }
  }
  return types;
}

inline aclDataType result_type(Result result, aclDataType type) {
  switch (result) {
    case Result::kSame: return type;
    case Result::kTruth: return ACL_BOOL;
    default: break;
  }
  if (result == Result::kPart && is_complex(type)) {
    return type == ACL_COMPLEX128 ? ACL_DOUBLE : type == ACL_COMPLEX32 ? ACL_FLOAT16 : ACL_FLOAT;
  }
  return is_integer(type) ? ACL_FLOAT : type;
}

constexpr Real kReferencePi = 3.14159265358979323846264338327950288L;

/// By bisection: slow and sure. Near 0 erf is a straight line.
inline Real reference_erfinv(Real x) {
  const Real magnitude = std::fabs(x);
  if (magnitude < 1e-10L) return x * std::sqrt(kReferencePi) / 2;
  if (std::isnan(x) || magnitude > 1) return std::numeric_limits<Real>::quiet_NaN();
  if (magnitude == 1) return x * std::numeric_limits<Real>::infinity();
  Real low = 0;
  Real high = 20;
  for (int i = 0; i < 90; ++i) {
    const Real middle = (low + high) / 2;
    const bool below = magnitude < 0.5L ? std::erf(middle) < magnitude : std::erfc(middle) > 1 - magnitude;
    (below ? low : high) = middle;
  }
  return std::copysign((low + high) / 2, x);
}

/// By bisection of the smaller tail.
inline Real reference_ndtri(Real x) {
  if (!(x >= 0 && x <= 1)) return std::numeric_limits<Real>::quiet_NaN();
  if (x == 0 || x == 1) return (x - 0.5L) * std::numeric_limits<Real>::infinity();
  const Real tail = std::fmin(x, 1 - x);
  Real low = 0;
  Real high = 200;
  for (int i = 0; i < 90; ++i) {
    const Real middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(Real{2})) / 2 > tail ? low : high) = middle;
  }
  return x < 0.5L ? -low : low;
}

inline Real reference_digamma(Real x) {
  if (x == 0) return std::copysign(std::numeric_limits<Real>::infinity(), -x);
  if (x < 0 && std::floor(x) == x) return std::numeric_limits<Real>::quiet_NaN();
  if (x < 0) {
    const Real rest = x - std::nearbyint(x);
    return reference_digamma(1 - x) - kReferencePi / std::tan(kReferencePi * rest);
  }
  Real sum = 0;
  while (x < 40) sum += 1 / x++;
  const Real u = 1 / (x * x);
  return std::log(x) - 1 / (2 * x) - u * (1 / 12.0L - u * (1 / 120.0L - u * (1 / 252.0L - u / 240.0L))) - sum;
}

inline Real reference_sinc(Real x) {
  if (x == 0) return 1;
  if (std::floor(x) == x && !std::isinf(x)) return 0;
  const Real rest = x - 2 * std::nearbyint(x / 2);
  return std::sin(kReferencePi * rest) / (kReferencePi * x);
}

inline Real reference_clamp(Real x, Real low, Real high) {
  return std::isnan(x) ? x : std::min(std::max(x, low), high);
}
inline Real reference_elu(Real x, Real alpha, Real scale, Real input_scale) {
  return x > 0 ? scale * x : scale * alpha * std::expm1(input_scale * x);
}
inline Real reference_log_sigmoid(Real x) {
  return std::fmin(x, Real{0}) - std::log1p(std::exp(-std::fabs(x))) + 0 * (std::isnan(x) ? x : 0);
}
inline Number reference_sign(Number z) { return std::abs(z) == 0 ? Number(0) : z / std::abs(z); }

/// All of them.
const std::vector<UnaryOp>& unary_ops();
const UnaryOp& unary_op(const std::string& name);

/// Prints the operator in the names of tests.
inline void PrintTo(const UnaryOp& op, std::ostream* out) { *out << op.name; }

/// Values that are easily wrong, then random ones.
inline Real interesting_value(std::int64_t i, Real random) {
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  const Real values[] = {kInf,  -kInf,  kNan,  0,    -0.0L, 1,  -1,    0.5L,  -0.5L, 1e-30L,
                         1e30L, -1e30L, 88.5L, -104, 2,     -3, 1e-6L, 65000, -3.5L, 1.5L};
  return i < static_cast<std::int64_t>(std::size(values)) ? values[i] : random;
}

}  // namespace aclvk::test
