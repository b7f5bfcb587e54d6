#include "aclnnop/aclnn_add_n.h"
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_lerp_scalar.h"
#include "aclnnop/aclnn_lerp_tensor.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_masked_fill_tensor.h"
#include "aclnnop/aclnn_max_pooling_grad.h"
#include "aclnnop/aclnn_maxn.h"
#include "aclnnop/aclnn_minn.h"
#include "aclnnop/aclnn_modulate.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_scale.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// Operators on three tensors, and on lists of tensors.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

class Ternary : public PointwiseTest {};

Real lerp_of(Real x, Real y, Real weight) { return x + weight * (y - x); }

TEST_F(Ternary, AddsProductsAndQuotients) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8}) {
    OpTensor self(type, {5, 7}, {{1, 5}, 1});
    OpTensor first(type, {7});
    OpTensor second(type, {5, 1});
    self.fill_random(1);
    first.fill_random(2);
    second.fill_random(3);
    const OpScalar value(type, 3);
    const OpTensor out(type, {5, 7});
    const auto product = [&](const Elements& e) -> Number {
      if (!is_integer(type)) return e[0] + Number(3) * e[1] * e[2];
      return wrap(static_cast<Wide>((e[0] + Number(3) * e[1] * e[2]).real()), type);
    };
    expect(
        "Addcmul",
        [&](auto* n, auto** e) {
          return aclnnAddcmulGetWorkspaceSize(self.get(), first.get(), second.get(), value.get(), out.get(), n, e);
        },
        aclnnAddcmul, {&self, &first, &second}, out, product, false);
    expect(
        "InplaceAddcmul",
        [&](auto* n, auto** e) {
          return aclnnInplaceAddcmulGetWorkspaceSize(self.get(), first.get(), second.get(), value.get(), n, e);
        },
        aclnnInplaceAddcmul, {&self, &first, &second}, self, product, false);
    if (type == ACL_INT32 || type == ACL_INT8) continue;
    const auto quotient = [&](const Elements& e) -> Number {
      const Real ratio = (e[1] / e[2]).real();
      return e[0] + Number(3) * (is_integer(type) ? std::trunc(ratio) : ratio);
    };
    expect(
        "Addcdiv",
        [&](auto* n, auto** e) {
          return aclnnAddcdivGetWorkspaceSize(self.get(), first.get(), second.get(), value.get(), out.get(), n, e);
        },
        aclnnAddcdiv, {&self, &first, &second}, out, quotient, false);
    expect(
        "InplaceAddcdiv",
        [&](auto* n, auto** e) {
          return aclnnInplaceAddcdivGetWorkspaceSize(self.get(), first.get(), second.get(), value.get(), n, e);
        },
        aclnnInplaceAddcdiv, {&self, &first, &second}, self, quotient, false);
  }
}

TEST_F(Ternary, ClampsBetweenTensors) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8, ACL_UINT8, ACL_INT16}) {
    OpTensor self(type, {3, 29});
    OpTensor low(type, {29});
    OpTensor high(type, {3, 1});
    self.fill_random(4);
    low.fill([&](std::int64_t i) { return i == 7 && !is_integer(type) ? nan : Real(i % 5); });
    high.fill([](std::int64_t i) { return Real(3 + i); });
    const OpTensor out(type, {3, 29});
    const auto clamp = [](const Elements& e) {
      const Real x = e[0].real() + 0 * e[1].real();  // NaN wins
      return std::min(std::max(x, e[1].real()), e[2].real()) + 0 * x;
    };
    expect(
        "ClampTensor",
        [&](auto* n, auto** e) {
          return aclnnClampTensorGetWorkspaceSize(self.get(), low.get(), high.get(), out.get(), n, e);
        },
        aclnnClampTensor, {&self, &low, &high}, out, clamp, true);
    expect(
        "ClampTensor without an upper bound",
        [&](auto* n, auto** e) {
          return aclnnClampTensorGetWorkspaceSize(self.get(), low.get(), nullptr, out.get(), n, e);
        },
        aclnnClampTensor, {&self, &low}, out,
        [](const Elements& e) { return std::max(e[0].real(), e[1].real()) + 0 * e[1].real(); }, true);
    expect(
        "ClampTensor without a lower bound",
        [&](auto* n, auto** e) {
          return aclnnClampTensorGetWorkspaceSize(self.get(), nullptr, high.get(), out.get(), n, e);
        },
        aclnnClampTensor, {&self, &high}, out, [](const Elements& e) { return std::min(e[0].real(), e[1].real()); },
        true);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnClampTensorGetWorkspaceSize(self.get(), nullptr, nullptr, out.get(), &size, &executor), 161001);
    expect(
        "ClampMinTensor",
        [&](auto* n, auto** e) { return aclnnClampMinTensorGetWorkspaceSize(self.get(), low.get(), out.get(), n, e); },
        aclnnClampMinTensor, {&self, &low}, out,
        [](const Elements& e) { return std::max(e[0].real(), e[1].real()) + 0 * e[1].real(); }, true);
    expect(
        "InplaceClampMaxTensor",
        [&](auto* n, auto** e) { return aclnnInplaceClampMaxTensorGetWorkspaceSize(self.get(), high.get(), n, e); },
        aclnnInplaceClampMaxTensor, {&self, &high}, self,
        [](const Elements& e) { return std::min(e[0].real(), e[1].real()); }, true);
    expect(
        "InplaceClampMinTensor",
        [&](auto* n, auto** e) { return aclnnInplaceClampMinTensorGetWorkspaceSize(self.get(), high.get(), n, e); },
        aclnnInplaceClampMinTensor, {&self, &high}, self,
        [](const Elements& e) { return std::max(e[0].real(), e[1].real()); }, true);
    expect(
        "ClampMaxTensor",
        [&](auto* n, auto** e) { return aclnnClampMaxTensorGetWorkspaceSize(self.get(), high.get(), out.get(), n, e); },
        aclnnClampMaxTensor, {&self, &high}, out, [](const Elements& e) { return std::min(e[0].real(), e[1].real()); },
        true);
  }
}

TEST_F(Ternary, TruthsAreClampedAsNumbers) {
  OpTensor self(ACL_BOOL, {3, 29});
  OpTensor bound(ACL_BOOL, {29});
  self.fill_random(4);
  fill_meeting(bound, 3);
  const auto higher = [](const Elements& e) { return std::max(e[0].real(), e[1].real()); };
  const auto lower = [](const Elements& e) { return std::min(e[0].real(), e[1].real()); };
  for (const aclDataType type : {ACL_BOOL, ACL_UINT8, ACL_FLOAT}) {
    const OpTensor out(type, {3, 29});
    expect(
        "ClampMinTensor of truths",
        [&](auto* n, auto** e) {
          return aclnnClampMinTensorGetWorkspaceSize(self.get(), bound.get(), out.get(), n, e);
        },
        aclnnClampMinTensor, {&self, &bound}, out, higher, true);
    expect(
        "ClampMaxTensor of truths",
        [&](auto* n, auto** e) {
          return aclnnClampMaxTensorGetWorkspaceSize(self.get(), bound.get(), out.get(), n, e);
        },
        aclnnClampMaxTensor, {&self, &bound}, out, lower, true);
  }
  expect(
      "InplaceClampMinTensor of truths",
      [&](auto* n, auto** e) { return aclnnInplaceClampMinTensorGetWorkspaceSize(self.get(), bound.get(), n, e); },
      aclnnInplaceClampMinTensor, {&self, &bound}, self, higher, true);
  expect(
      "InplaceClampMaxTensor of truths",
      [&](auto* n, auto** e) { return aclnnInplaceClampMaxTensorGetWorkspaceSize(self.get(), bound.get(), n, e); },
      aclnnInplaceClampMaxTensor, {&self, &bound}, self, lower, true);
}

TEST_F(Ternary, GoesFromOneTensorToAnother) {
  const auto meaning = [](const Elements& e) { return lerp_of(e[0].real(), e[1].real(), e[2].real()); };
  const auto to_scalar = [](const Elements& e) { return lerp_of(e[0].real(), e[1].real(), 0.75L); };
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {4, 11});
    OpTensor end(type, {11});
    OpTensor weight(type, {4, 1});
    self.fill_random(5);
    end.fill_random(6);
    weight.fill([](std::int64_t i) { return Real(i) / 4; });
    const OpScalar by(ACL_FLOAT, 0.75L);
    const OpTensor out(type, {4, 11});
    auto* x = self.get();
    auto* y = end.get();
    expect(
        "Lerp", [&](auto* n, auto** e) { return aclnnLerpGetWorkspaceSize(x, y, weight.get(), out.get(), n, e); },
        aclnnLerp, {&self, &end, &weight}, out, meaning, false);
    expect(
        "Lerps", [&](auto* n, auto** e) { return aclnnLerpsGetWorkspaceSize(x, y, by.get(), out.get(), n, e); },
        aclnnLerps, {&self, &end}, out, to_scalar, false);
    expect(
        "InplaceLerp", [&](auto* n, auto** e) { return aclnnInplaceLerpGetWorkspaceSize(x, y, weight.get(), n, e); },
        aclnnInplaceLerp, {&self, &end, &weight}, self, meaning, false);
    expect(
        "InplaceLerps", [&](auto* n, auto** e) { return aclnnInplaceLerpsGetWorkspaceSize(x, y, by.get(), n, e); },
        aclnnInplaceLerps, {&self, &end}, self, to_scalar, false);
  }
}

TEST_F(Ternary, GivesTheGradientToTheMaximumOfAWindow) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    OpTensor dy(type, {3, 29}, {{1, 3}, 1});
    OpTensor x(type, {3, 29});
    OpTensor y(type, {3, 29}, {{31, 1}, 2});
    dy.fill([&](std::int64_t i) { return i % 7 == 2 ? nan : Real(i) / 4 - 3; });
    x.fill([&](std::int64_t i) { return i % 11 == 5 ? nan : Real(i % 5) / 8; });
    y.fill([&](std::int64_t i) { return i % 11 == 5 ? nan : Real(i % 3) / 8; });
    const OpTensor dx(type, {3, 29});
    expect(
        "MaxPoolingGrad",
        [&](auto* n, auto** e) {
          return aclnnMaxPoolingGradGetWorkspaceSize(dy.get(), x.get(), y.get(), dx.get(), n, e);
        },
        aclnnMaxPoolingGrad, {&dy, &x, &y}, dx,
        [](const Elements& e) { return e[1].real() == e[2].real() ? e[0].real() : Real(0); }, true);
  }
  const OpTensor one(ACL_FLOAT, {3});
  const OpTensor whole(ACL_INT32, {3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* dy, const aclTensor* y) {
    return aclnnMaxPoolingGradGetWorkspaceSize(dy, one.get(), y, one.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, one.get()), 161001);
  EXPECT_EQ(plan(one.get(), nullptr), 161001);
  EXPECT_EQ(plan(one.get(), whole.get()), 161002);
}

TEST_F(Ternary, ChoosesByACondition) {
  constexpr aclDataType kTypes[] = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,    ACL_INT8,
                                    ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,     ACL_UINT16,
                                    ACL_UINT32, ACL_UINT64,  ACL_BOOL,  ACL_COMPLEX64, ACL_COMPLEX128};
  for (const aclDataType type : kTypes) {
    for (const aclDataType kind : {ACL_BOOL, ACL_UINT8}) {
      OpTensor condition(kind, {3, 1, 13});
      OpTensor self(type, {5, 13}, {{1, 5}, 2});
      OpTensor other(type, {3, 5, 1});
      fill_meeting(condition, 3);
      self.fill_random(7);
      other.fill_random(8);
      const OpTensor out(type, {3, 5, 13});
      expect(
          "SWhere of dtype " + std::to_string(type),
          [&](auto* n, auto** e) {
            return aclnnSWhereGetWorkspaceSize(condition.get(), self.get(), other.get(), out.get(), n, e);
          },
          aclnnSWhere, {&condition, &self, &other}, out,
          [](const Elements& e) { return e[0] != Number(0) ? e[1] : e[2]; }, true);
    }
  }
}

TEST_F(Ternary, ChoosesBetweenDtypes) {
  OpTensor condition(ACL_BOOL, {13});
  OpTensor self(ACL_INT32, {13});
  OpTensor other(ACL_FLOAT16, {});
  fill_meeting(condition, 3);
  self.fill_random(9);
  other.fill_random(10);
  const OpTensor out(ACL_FLOAT, {13});
  expect(
      "SWhere",
      [&](auto* n, auto** e) {
        return aclnnSWhereGetWorkspaceSize(condition.get(), self.get(), other.get(), out.get(), n, e);
      },
      aclnnSWhere, {&condition, &self, &other}, out,
      [](const Elements& e) { return rounded(e[0] != Number(0) ? e[1] : e[2], ACL_FLOAT16); }, true);
}

TEST_F(Ternary, FillsByAMask) {
  for (const aclDataType type : {ACL_BOOL, ACL_INT8, ACL_INT32, ACL_INT64, ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    OpTensor self(type, {5, 7}, {{1, 5}, 1});
    OpTensor mask(ACL_BOOL, {7});
    OpTensor value(type, {});
    self.fill_random(11);
    fill_meeting(mask, 3);
    value.fill([](std::int64_t) { return Real{1}; });
    const OpScalar scalar(type, 1);
    const auto meaning = [](const Elements& e) { return e[1] != Number(0) ? Number(1) : e[0]; };
    expect(
        "InplaceMaskedFillTensor of dtype " + std::to_string(type),
        [&](auto* n, auto** e) {
          return aclnnInplaceMaskedFillTensorGetWorkspaceSize(self.get(), mask.get(), value.get(), n, e);
        },
        aclnnInplaceMaskedFillTensor, {&self, &mask, &value}, self, meaning, true);
    expect(
        "InplaceMaskedFillScalar of dtype " + std::to_string(type),
        [&](auto* n, auto** e) {
          return aclnnInplaceMaskedFillScalarGetWorkspaceSize(self.get(), mask.get(), scalar.get(), n, e);
        },
        aclnnInplaceMaskedFillScalar, {&self, &mask}, self, meaning, true);
  }
}

TEST_F(Ternary, FillsTruthsWithAnyNumber) {
  for (const Real number : {0, 1, 2, 256, -1}) {
    OpTensor self(ACL_BOOL, {5, 7});
    OpTensor mask(ACL_BOOL, {7});
    self.fill_random(11);
    fill_meeting(mask, 3);
    const OpScalar value(ACL_INT64, number);
    expect(
        "InplaceMaskedFillScalar of truths with " + std::to_string(number),
        [&](auto* n, auto** e) {
          return aclnnInplaceMaskedFillScalarGetWorkspaceSize(self.get(), mask.get(), value.get(), n, e);
        },
        aclnnInplaceMaskedFillScalar, {&self, &mask}, self,
        [&](const Elements& e) { return e[1] != Number(0) ? Number(number != 0) : e[0]; }, true);
  }
}

TEST_F(Ternary, FillsHalvesWithMinusInfinity) {
  OpTensor self(ACL_FLOAT16, {37});
  OpTensor mask(ACL_BOOL, {37});
  self.fill_random(12);
  fill_meeting(mask, 3);
  const Real lowest = -std::numeric_limits<Real>::infinity();
  const OpScalar value(ACL_FLOAT, lowest);
  expect(
      "InplaceMaskedFillScalar",
      [&](auto* n, auto** e) {
        return aclnnInplaceMaskedFillScalarGetWorkspaceSize(self.get(), mask.get(), value.get(), n, e);
      },
      aclnnInplaceMaskedFillScalar, {&self, &mask}, self,
      [&](const Elements& e) { return e[1] != Number(0) ? Number(lowest) : e[0]; }, true);
}

TEST_F(Ternary, ModulatesRows) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {2, 5, 7});
    OpTensor scale(type, {2, 7});
    OpTensor shift(type, {2, 1, 7});
    self.fill_random(13);
    scale.fill_random(14);
    shift.fill_random(15);
    const OpTensor out(type, {2, 5, 7});
    for (const bool has_scale : {true, false}) {
      for (const bool has_shift : {true, false}) {
        SCOPED_TRACE("Modulate");
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnModulateGetWorkspaceSize(self.get(), has_scale ? scale.get() : nullptr,
                                                   has_shift ? shift.get() : nullptr, out.get(), n, e);
            },
            aclnnModulate, {&self, &scale, &shift}, out);
        const auto expected = [&](std::int64_t i) {
          const std::int64_t row = i / 35 * 7 + i % 7;
          const Number a = has_scale ? scale.before(row) : Number(0);
          const Number b = has_shift ? shift.before(row) : Number(0);
          return rounded(self.before(i) * (Number(1) + a) + b, type);
        };
        expect_elements(out, bytes, expected, false);
      }
    }
  }
}

TEST_F(Ternary, ScalesAlongAnAxis) {
  OpTensor x(ACL_FLOAT, {3, 5, 7});
  OpTensor scale(ACL_FLOAT, {5});
  OpTensor bias(ACL_FLOAT, {5});
  x.fill_random(16);
  scale.fill_random(17);
  bias.fill_random(18);
  const OpTensor y(ACL_FLOAT, {3, 5, 7});
  for (const bool has_bias : {true, false}) {
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnScaleGetWorkspaceSize(x.get(), scale.get(), has_bias ? bias.get() : nullptr, -2, 1, true, y.get(),
                                            n, e);
        },
        aclnnScale, {&x, &scale, &bias}, y);
    const auto expected = [&](std::int64_t i) {
      const std::int64_t channel = i / 7 % 5;
      return x.before(i) * scale.before(channel) + (has_bias ? bias.before(channel) : Number(0));
    };
    expect_elements(y, bytes, expected, false);
  }
}

TEST_F(Ternary, RefusesWhatDoesNotFit) {
  constexpr int kNullptr = 161001;
  constexpr int kInvalid = 161002;
  const OpTensor t(ACL_FLOAT, {3});
  const OpTensor mask(ACL_BOOL, {3});
  const OpTensor whole(ACL_INT32, {3});
  const OpTensor longer(ACL_FLOAT, {4});
  const OpScalar half(ACL_FLOAT, 0.5L);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnSWhereGetWorkspaceSize(nullptr, t.get(), t.get(), t.get(), &size, &executor), kNullptr);
  EXPECT_EQ(aclnnSWhereGetWorkspaceSize(t.get(), t.get(), t.get(), t.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnSWhereGetWorkspaceSize(mask.get(), t.get(), t.get(), longer.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnSWhereGetWorkspaceSize(mask.get(), t.get(), t.get(), whole.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnLerpGetWorkspaceSize(t.get(), t.get(), nullptr, t.get(), &size, &executor), kNullptr);
  EXPECT_EQ(aclnnLerpGetWorkspaceSize(whole.get(), whole.get(), whole.get(), whole.get(), &size, &executor), kInvalid);
  EXPECT_EQ(
      aclnnAddcmulGetWorkspaceSize(whole.get(), whole.get(), whole.get(), half.get(), whole.get(), &size, &executor),
      kInvalid);
  EXPECT_EQ(aclnnInplaceMaskedFillScalarGetWorkspaceSize(whole.get(), mask.get(), half.get(), &size, &executor),
            kInvalid);
  EXPECT_EQ(aclnnInplaceMaskedFillScalarGetWorkspaceSize(t.get(), t.get(), half.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnInplaceMaskedFillScalarGetWorkspaceSize(t.get(), OpTensor(ACL_BOOL, {2, 3}).get(), half.get(), &size,
                                                         &executor),
            kInvalid);
  EXPECT_EQ(aclnnModulateGetWorkspaceSize(t.get(), nullptr, nullptr, t.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(t.get(), t.get(), nullptr, 1, 1, true, t.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnScaleGetWorkspaceSize(t.get(), longer.get(), nullptr, 0, 1, true, t.get(), &size, &executor),
            kInvalid);
}

struct ListOp {
  const char* name;
  aclnnStatus (*plan)(const aclTensorList*, aclTensor*, uint64_t*, aclOpExecutor**);
  Launch launch;
  Real (*fold)(Real, Real);
};
constexpr ListOp kListOps[] = {
    {"AddN", aclnnAddNGetWorkspaceSize, aclnnAddN, [](Real x, Real y) { return x + y; }},
    {"MaxN", aclnnMaxNGetWorkspaceSize, aclnnMaxN, [](Real x, Real y) { return std::max(x, y); }},
    {"MinN", aclnnMinNGetWorkspaceSize, aclnnMinN, [](Real x, Real y) { return std::min(x, y); }}};

/// A list of views of tensors that live longer: destroying a list destroys its members.
aclTensorList* list_of(const std::vector<std::unique_ptr<OpTensor>>& tensors) {
  std::vector<aclTensor*> members;
  for (const auto& tensor : tensors) {
    const auto rank = tensor->shape().size();
    members.push_back(aclCreateTensor(tensor->shape().data(), rank, tensor->type(), nullptr, 0, ACL_FORMAT_ND,
                                      tensor->shape().data(), rank, tensor->memory()));
    tensor->also(members.back());
  }
  return aclCreateTensorList(members.data(), members.size());
}

class Lists : public PointwiseTest {
 protected:
  static void check(const ListOp& op, aclDataType type, std::size_t count) {
    SCOPED_TRACE(std::string(op.name) + " of " + std::to_string(count) + " tensors of dtype " + std::to_string(type));
    std::vector<std::unique_ptr<OpTensor>> tensors;
    std::vector<const OpTensor*> inputs;
    for (std::size_t i = 0; i < count; ++i) {
      tensors.push_back(std::make_unique<OpTensor>(type, Shape{3, 29}));
      tensors.back()->fill_random(static_cast<unsigned>(20 + i));
      inputs.push_back(tensors.back().get());
    }
    aclTensorList* list = list_of(tensors);
    const OpTensor out(type, {3, 29}, {{1, 3}, 2});
    const auto bytes = run([&](auto* n, auto** e) { return op.plan(list, out.get(), n, e); }, op.launch, inputs, out);
    const auto expected = [&](std::int64_t i) {
      Real result = inputs.front()->before(i).real();
      for (std::size_t k = 1; k < count; ++k) result = op.fold(result, inputs[k]->before(i).real());
      return is_integer(type) ? Number(wrap(static_cast<Wide>(result), type)) : rounded(result, type);
    };
    expect_elements(out, bytes, expected, false);
    aclDestroyTensorList(list);
  }
};

TEST_F(Lists, ReduceAnyNumberOfTensors) {
  for (const ListOp& op : kListOps) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64}) {
      for (const std::size_t count : {1, 2, 5}) check(op, type, count);
    }
  }
  check(kListOps[1], ACL_INT8, 3);
}

TEST_F(Lists, MembersOfMaximaAndMinimaBroadcast) {
  for (const ListOp& op : {kListOps[1], kListOps[2]}) {
    std::vector<std::unique_ptr<OpTensor>> tensors;
    std::vector<const OpTensor*> inputs;
    for (const Shape& shape : {Shape{7}, Shape{5, 1}, Shape{3, 1, 7}, Shape{}}) {
      tensors.push_back(std::make_unique<OpTensor>(ACL_FLOAT, shape));
      tensors.back()->fill_random(static_cast<unsigned>(40 + tensors.size()));
      inputs.push_back(tensors.back().get());
    }
    aclTensorList* list = list_of(tensors);
    const OpTensor out(ACL_FLOAT, {3, 5, 7});
    const auto bytes = run([&](auto* n, auto** e) { return op.plan(list, out.get(), n, e); }, op.launch, inputs, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const auto at = [&](const OpTensor* input) {
        return input->before(source_of(i, out.shape(), input->shape())).real();
      };
      Real result = at(inputs[0]);
      for (const OpTensor* input : inputs) result = op.fold(result, at(input));
      return result;
    };
    expect_elements(out, bytes, expected, true);
    aclDestroyTensorList(list);
  }
}

TEST_F(Lists, RefuseWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor out(ACL_FLOAT, {3});
  std::vector<std::unique_ptr<OpTensor>> tensors;
  aclTensorList* empty = list_of(tensors);
  tensors.push_back(std::make_unique<OpTensor>(ACL_FLOAT, Shape{3}));
  tensors.push_back(std::make_unique<OpTensor>(ACL_FLOAT, Shape{4}));
  aclTensorList* ragged = list_of(tensors);
  for (const ListOp& op : kListOps) {
    EXPECT_EQ(op.plan(nullptr, out.get(), &size, &executor), 161001);
    EXPECT_EQ(op.plan(ragged, nullptr, &size, &executor), 161001);
    EXPECT_EQ(op.plan(empty, out.get(), &size, &executor), kInvalid);
    EXPECT_EQ(op.plan(ragged, out.get(), &size, &executor), kInvalid);
  }
  aclDestroyTensorList(empty);
  aclDestroyTensorList(ragged);
}

}  // namespace
}  // namespace aclvk::test
