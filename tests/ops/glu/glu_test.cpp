#include "aclnnop/aclnn_fatrelu_mul.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_geglu_backward.h"
#include "aclnnop/aclnn_gelu_mul.h"
#include "aclnnop/aclnn_glu.h"
#include "aclnnop/aclnn_glu_backward.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_swi_glu_grad.h"
#include "ops/glu/glu_reference.hpp"

namespace aclvk::test {
namespace {

using In = const aclTensor*;
using Out = aclTensor*;
using Size = uint64_t*;
using Made = aclOpExecutor**;

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const std::vector<aclDataType> kWithDouble = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
constexpr double kThreshold = 0.75;

/// Contiguous halves in fours, halves of a prime size, a dim in the middle, one row alone, the first dim.
const std::vector<Halves> kCases = {{{5, 16}, 1}, {{3, 7, 26}, 2}, {{4, 10, 3}, 1}, {{34}, 0}, {{8, 5}, 0}};

/// One shape with gaps is enough.
std::vector<bool> views_of(const Halves& halves) {
  return halves.shape.size() == 3 && halves.dim == 2 ? std::vector<bool>{false, true} : std::vector<bool>{false};
}

class GluUnits : public OpTest {
 protected:
  /// `x` in a storage with gaps and an offset, or without.
  static std::unique_ptr<OpTensor> operand(aclDataType type, const Shape& shape, bool strided, unsigned seed) {
    View view;
    if (strided) {
      view.strides = OpTensor::row_major(shape);
      for (std::int64_t& stride : view.strides) stride *= 3;
      view.offset = 2;
    }
    auto tensor = std::make_unique<OpTensor>(type, shape, view);
    tensor->fill_random(seed);
    return tensor;
  }

  static std::function<Number(std::int64_t)> combined(const OpTensor& x, const Halves& halves,
                                                      const UnitMeaning& unit) {
    return [&x, halves, unit](std::int64_t i) {
      const Real first = x.before(halves.place(i, false)).real();
      const Real second = x.before(halves.place(i, true)).real();
      return rounded(unit(first, second), x.type());
    };
  }
  static std::function<Number(std::int64_t)> slopes(const OpTensor& gradient, const OpTensor& x, const Halves& halves,
                                                    const UnitMeaning& unit) {
    return [&gradient, &x, halves, unit](std::int64_t i) {
      const auto [element, second] = halves.part_of(i);
      const Real a = x.before(halves.place(element, false)).real();
      const Real b = x.before(halves.place(element, true)).real();
      const Real slope = second ? second_slope(unit, a, b) : first_slope(unit, a, b);
      return rounded(gradient.before(element).real() * slope, x.type());
    };
  }
};

struct UnitRow {
  const char* name;
  const std::vector<aclDataType>& types;
  UnitMeaning meaning;
  std::function<aclnnStatus(In, In, std::int64_t, Out, Size, Made)> plan;  ///< x, threshold, dim, out
  Launch launch;
  bool last_dim_only = false;
};

const std::vector<UnitRow> kUnits = {
    {"Glu", kWithDouble, [](Real a, Real b) { return a * sigmoid(b); },
     [](In x, In, std::int64_t dim, Out out, Size n, Made e) { return aclnnGluGetWorkspaceSize(x, dim, out, n, e); },
     aclnnGlu},
    {"SwiGlu", kFloats, [](Real a, Real b) { return silu(a) * b; },
     [](In x, In, std::int64_t dim, Out out, Size n, Made e) { return aclnnSwiGluGetWorkspaceSize(x, dim, out, n, e); },
     aclnnSwiGlu},
    {"GeluMul", kFloats, [](Real a, Real b) { return gelu(a) * b; },
     [](In x, In, std::int64_t, Out out, Size n, Made e) {
       return aclnnGeluMulGetWorkspaceSize(x, nullptr, out, n, e);
     },
     aclnnGeluMul, true},
    {"GeluMul with tanh", kFloats, [](Real a, Real b) { return gelu_tanh(a) * b; },
     [](In x, In, std::int64_t, Out out, Size n, Made e) {
       char kind[] = "tanh";
       return aclnnGeluMulGetWorkspaceSize(x, kind, out, n, e);
     },
     aclnnGeluMul, true},
    {"FatreluMul", kFloats, [](Real a, Real b) { return a > kThreshold ? a * b : 0; },
     [](In x, In threshold, std::int64_t, Out out, Size n, Made e) {
       return aclnnFatreluMulGetWorkspaceSize(x, threshold, out, n, e);
     },
     aclnnFatreluMul, true},
};

TEST_F(GluUnits, CombineTheTwoParts) {
  for (const UnitRow& row : kUnits) {
    SCOPED_TRACE(row.name);
    for (const Halves& halves : kCases) {
      if (row.last_dim_only && halves.dim + 1 != halves.shape.size()) continue;
      for (const aclDataType type : row.types) {
        for (const bool strided : views_of(halves)) {
          const auto x = operand(type, halves.shape, strided, 81);
          OpTensor threshold(type, {1});
          threshold.fill([](std::int64_t) { return kThreshold; });
          const OpTensor out(type, halves.part());
          const auto dim = static_cast<std::int64_t>(halves.dim) - static_cast<std::int64_t>(halves.shape.size());
          const auto bytes =
              run([&](Size n, Made e) { return row.plan(x->get(), threshold.get(), dim, out.get(), n, e); }, row.launch,
                  {x.get(), &threshold}, out);
          expect_elements(out, bytes, combined(*x, halves, row.meaning), false);
        }
      }
    }
  }
}

TEST_F(GluUnits, GradientsFollowTheSlopesOfBothParts) {
  struct Row {
    const char* name;
    const std::vector<aclDataType>& types;
    UnitMeaning meaning;
    std::function<aclnnStatus(In, In, std::int64_t, Out, Size, Made)> plan;
    Launch launch;
  };
  const std::vector<Row> rows = {
      {"Glu", kWithDouble, kUnits[0].meaning,
       [](In g, In x, std::int64_t dim, Out out, Size n, Made e) {
         return aclnnGluBackwardGetWorkspaceSize(g, x, dim, out, n, e);
       },
       aclnnGluBackward},
      {"SwiGlu", kFloats, kUnits[1].meaning,
       [](In g, In x, std::int64_t dim, Out out, Size n, Made e) {
         return aclnnSwiGluGradGetWorkspaceSize(g, x, dim, out, n, e);
       },
       aclnnSwiGluGrad},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    for (const Halves& halves : kCases) {
      for (const aclDataType type : row.types) {
        for (const bool strided : views_of(halves)) {
          const auto gradient = operand(type, halves.part(), strided, 7);
          const auto x = operand(type, halves.shape, strided, 81);
          const OpTensor out(type, halves.shape);
          const auto bytes = run(
              [&](Size n, Made e) {
                return row.plan(gradient->get(), x->get(), static_cast<std::int64_t>(halves.dim), out.get(), n, e);
              },
              row.launch, {gradient.get(), x.get()}, out);
          expect_elements(out, bytes, slopes(*gradient, *x, halves, row.meaning), false);
        }
      }
    }
  }
}

class GeGlus : public GluUnits {
 protected:
  static Real activation(bool tanh, Real x) { return tanh ? gelu_tanh(x) : gelu(x); }
  static UnitMeaning meaning(bool tanh, bool left) {
    return [=](Real a, Real b) { return left ? activation(tanh, a) * b : a * activation(tanh, b); };
  }
};

TEST_F(GeGlus, KeepTheActivatedPart) {
  for (const Halves& halves : kCases) {
    for (const aclDataType type : kFloats) {
      for (const bool tanh : {false, true}) {
        for (const bool left : {false, true}) {
          const auto x = operand(type, halves.shape, left, 81);
          const OpTensor out(type, halves.part());
          const OpTensor kept(type, halves.part());
          const auto dim = static_cast<std::int64_t>(halves.dim);
          const auto plan = [&](Size n, Made e) {
            return aclnnGeGluV3GetWorkspaceSize(x->get(), dim, tanh, left, out.get(), kept.get(), n, e);
          };
          expect_elements(out, run(plan, aclnnGeGluV3, {x.get(), &kept}, out),
                          combined(*x, halves, meaning(tanh, left)), false);
          const auto activated = [&](Real a, Real b) { return activation(tanh, left ? a : b); };
          const auto bytes = run(plan, aclnnGeGluV3, {x.get(), &out}, kept);
          expect_elements(kept, bytes, combined(*x, halves, activated), false);
          if (left) continue;
          const auto first = [&](Size n, Made e) {
            return aclnnGeGluGetWorkspaceSize(x->get(), dim, tanh, out.get(), kept.get(), n, e);
          };
          expect_elements(out, run(first, aclnnGeGlu, {x.get(), &kept}, out),
                          combined(*x, halves, meaning(tanh, false)), false);
        }
      }
    }
  }
}

TEST_F(GeGlus, GradientsUseWhatWasKept) {
  for (const Halves& halves : kCases) {
    for (const aclDataType type : kFloats) {
      for (const bool tanh : {false, true}) {
        for (const bool left : {false, true}) {
          const auto gradient = operand(type, halves.part(), left, 7);
          const auto x = operand(type, halves.shape, left, 81);
          const auto kept = operand(type, halves.part(), left, 9);  // not the activation, to tell it apart
          const OpTensor out(type, halves.shape);
          const auto dim = static_cast<std::int64_t>(halves.dim);
          const auto wanted = slopes(*gradient, *x, halves, meaning(tanh, left));
          const auto expected = [&](std::int64_t i) -> Number {
            const auto [element, second] = halves.part_of(i);
            if (second != left) return wanted(i);
            return rounded(gradient->before(element).real() * kept->before(element).real(), type);
          };
          const auto bytes = run(
              [&](Size n, Made e) {
                if (!left)
                  return aclnnGeGluBackwardGetWorkspaceSize(gradient->get(), x->get(), kept->get(), dim, tanh,
                                                            out.get(), n, e);
                return aclnnGeGluV3BackwardGetWorkspaceSize(gradient->get(), x->get(), kept->get(), dim, tanh, left,
                                                            out.get(), n, e);
              },
              left ? aclnnGeGluV3Backward : aclnnGeGluBackward, {gradient.get(), x.get(), kept.get()}, out);
          expect_elements(out, bytes, expected, false);
        }
      }
    }
  }
}

TEST_F(GluUnits, TakeEmptyTensorsAndSpecialNumbers) {
  const OpTensor nothing(ACL_FLOAT, {0, 6});
  const OpTensor none(ACL_FLOAT, {0, 3});
  enqueue([&](Size n, Made e) { return aclnnSwiGluGetWorkspaceSize(nothing.get(), -1, none.get(), n, e); },
          aclnnSwiGlu);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);

  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  OpTensor x(ACL_FLOAT, {2, 6});
  const std::vector<Real> values = {kInfinity, -kInfinity, kNan, 2, 3, 0, -1, 0, 5, kNan, kInfinity, -kInfinity};
  x.fill([&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
  const OpTensor out(ACL_FLOAT, {2, 3});
  const auto bytes =
      run([&](Size n, Made e) { return aclnnGluGetWorkspaceSize(x.get(), 1, out.get(), n, e); }, aclnnGlu, {&x}, out);
  const Halves halves{{2, 6}, 1};
  expect_elements(out, bytes, combined(x, halves, kUnits[0].meaning), false);
}

TEST_F(GluUnits, RefuseWhatTheyCannotSplit) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor odd(ACL_FLOAT, {4, 5});
  const OpTensor scalar(ACL_FLOAT, {});
  const OpTensor whole(ACL_INT32, {4, 6});
  const OpTensor half_type(ACL_FLOAT16, {4, 3});
  const OpTensor out(ACL_FLOAT, {4, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto glu = [&](In in, std::int64_t dim, Out to) {
    return aclnnGluGetWorkspaceSize(in, dim, to, &size, &executor);
  };
  EXPECT_EQ(glu(nullptr, 1, out.get()), 161001);
  EXPECT_EQ(glu(x.get(), 1, nullptr), 161001);
  EXPECT_EQ(aclnnGluGetWorkspaceSize(x.get(), 1, out.get(), nullptr, &executor), 161001);
  EXPECT_EQ(glu(whole.get(), 1, out.get()), 161002);
  EXPECT_EQ(glu(x.get(), 1, half_type.get()), 161002);
  EXPECT_EQ(glu(x.get(), 2, out.get()), 161002);
  EXPECT_EQ(glu(x.get(), -3, out.get()), 161002);
  EXPECT_EQ(glu(x.get(), 0, out.get()), 161002);
  EXPECT_EQ(glu(odd.get(), 1, out.get()), 161002);
  EXPECT_EQ(glu(scalar.get(), 0, out.get()), 161002);

  const auto gradient = [&](In grad, In in, Out to) {
    return aclnnSwiGluGradGetWorkspaceSize(grad, in, -1, to, &size, &executor);
  };
  EXPECT_EQ(gradient(nullptr, x.get(), x.get()), 161001);
  EXPECT_EQ(gradient(out.get(), nullptr, x.get()), 161001);
  EXPECT_EQ(gradient(x.get(), x.get(), x.get()), 161002);
  EXPECT_EQ(gradient(out.get(), x.get(), out.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(GluUnits, RefuseAResultThatOverlapsTheOperandPartly) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor kept(ACL_FLOAT, {4, 3});
  const OpTensor threshold(ACL_FLOAT, {1});
  const Shape shape = {4, 3};
  const Shape storage = {24};
  const auto view_of_x = [&](const Shape& strides, std::int64_t offset) {
    return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), offset, ACL_FORMAT_ND, storage.data(),
                           storage.size(), x.memory());
  };
  const std::unique_ptr<aclTensor, decltype(&aclDestroyTensor)> middle(view_of_x({3, 1}, 5), aclDestroyTensor);
  const std::unique_ptr<aclTensor, decltype(&aclDestroyTensor)> half(view_of_x({6, 1}, 3), aclDestroyTensor);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnSwiGluGetWorkspaceSize(x.get(), -1, middle.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnFatreluMulGetWorkspaceSize(x.get(), threshold.get(), middle.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGeGluGetWorkspaceSize(x.get(), -1, 0, middle.get(), kept.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGeGluGetWorkspaceSize(x.get(), -1, 0, kept.get(), middle.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(aclnnSwiGluGetWorkspaceSize(x.get(), -1, half.get(), &size, &executor), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(GluUnits, RefuseAttributesThatDoNotExist) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor out(ACL_FLOAT, {4, 3});
  const OpTensor kept(ACL_FLOAT, {4, 3});
  const OpTensor other(ACL_FLOAT16, {4, 3});
  const OpTensor many(ACL_FLOAT, {2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  char unknown[] = "erf";
  EXPECT_EQ(aclnnGeGluGetWorkspaceSize(x.get(), -1, 2, out.get(), kept.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGeGluGetWorkspaceSize(x.get(), -1, 0, out.get(), nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnGeGluGetWorkspaceSize(x.get(), -1, 0, out.get(), other.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGeGluGetWorkspaceSize(x.get(), -1, 0, out.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGeGluV3BackwardGetWorkspaceSize(out.get(), x.get(), nullptr, -1, 0, true, x.get(), &size, &executor),
            161001);
  EXPECT_EQ(
      aclnnGeGluV3BackwardGetWorkspaceSize(out.get(), x.get(), kept.get(), -1, -1, true, x.get(), &size, &executor),
      161002);
  EXPECT_EQ(aclnnGeluMulGetWorkspaceSize(x.get(), unknown, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnFatreluMulGetWorkspaceSize(x.get(), nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnFatreluMulGetWorkspaceSize(x.get(), many.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnFatreluMulGetWorkspaceSize(x.get(), other.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
