// What the operators on one tensor refuse, in the order of the specification; and forms that are not rows of the table.
#include <cmath>

#include "aclnnop/aclnn_celu.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_logsigmoid.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_signbit.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_softshrink.h"
#include "ops/elementwise/unary_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclnnStatus kNullptr = 161001;
constexpr aclnnStatus kInvalid = 161002;

class UnaryValidation : public OpTest {
 protected:
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;

  static bool last_message_has(const std::string& text) {
    const char* message = aclGetRecentErrMsg();
    return message != nullptr && std::string(message).find(text) != std::string::npos;
  }
};

TEST_F(UnaryValidation, RefusesNull) {
  const OpTensor tensor(ACL_FLOAT, {4});
  const OpScalar one(ACL_FLOAT, 1);
  EXPECT_EQ(aclnnSinGetWorkspaceSize(nullptr, tensor.get(), &size, &executor), kNullptr);
  EXPECT_EQ(aclnnSinGetWorkspaceSize(tensor.get(), nullptr, &size, &executor), kNullptr);
  EXPECT_EQ(aclnnSinGetWorkspaceSize(tensor.get(), tensor.get(), nullptr, &executor), kNullptr);
  EXPECT_EQ(aclnnSinGetWorkspaceSize(tensor.get(), tensor.get(), &size, nullptr), kNullptr);
  EXPECT_EQ(aclnnInplaceSinGetWorkspaceSize(nullptr, &size, &executor), kNullptr);
  EXPECT_EQ(aclnnEluGetWorkspaceSize(tensor.get(), one.get(), nullptr, one.get(), tensor.get(), &size, &executor),
            kNullptr);
  EXPECT_TRUE(last_message_has("scale"));
  EXPECT_EQ(aclnnInplaceLeakyReluGetWorkspaceSize(tensor.get(), nullptr, &size, &executor), kNullptr);
  EXPECT_EQ(aclnnClampGetWorkspaceSize(tensor.get(), nullptr, nullptr, tensor.get(), &size, &executor), kNullptr);
  EXPECT_EQ(aclnnSinGetWorkspaceSize(tensor.get(), tensor.get(), &size, &executor), 0);
  EXPECT_EQ(aclnnSin(nullptr, 0, nullptr, stream()), kNullptr);
  EXPECT_EQ(aclnnSin(nullptr, 0, executor, stream()), 0);
  EXPECT_EQ(aclnnSin(nullptr, 0, executor, stream()), kNullptr);
}

TEST_F(UnaryValidation, RefusesNullBeforeDtypesBeforeShapes) {
  const OpTensor bad(ACL_UINT64, {3});
  const OpTensor longer(ACL_FLOAT, {5});
  const OpTensor good(ACL_FLOAT, {3});
  EXPECT_EQ(aclnnSinGetWorkspaceSize(bad.get(), nullptr, &size, &executor), kNullptr);
  EXPECT_EQ(aclnnSinGetWorkspaceSize(bad.get(), longer.get(), &size, &executor), kInvalid);
  EXPECT_TRUE(last_message_has("UINT64"));
  EXPECT_EQ(aclnnSinGetWorkspaceSize(good.get(), longer.get(), &size, &executor), kInvalid);
  EXPECT_TRUE(last_message_has("shape (5)"));
  const OpTensor integers(ACL_INT32, {3});
  EXPECT_EQ(aclnnFracGetWorkspaceSize(good.get(), integers.get(), &size, &executor), kInvalid);
  EXPECT_TRUE(last_message_has("cannot be cast"));
  const OpTensor nine(ACL_FLOAT, {1, 1, 1, 1, 1, 1, 1, 1, 4});
  EXPECT_EQ(aclnnSinGetWorkspaceSize(nine.get(), nine.get(), &size, &executor), kInvalid);
}

TEST_F(UnaryValidation, RefusesResultsThatDoNotFit) {
  const OpTensor integers(ACL_INT32, {3});
  const OpTensor floats(ACL_FLOAT, {3});
  const OpTensor complex(ACL_COMPLEX64, {3});
  EXPECT_EQ(aclnnSinGetWorkspaceSize(integers.get(), integers.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnSinGetWorkspaceSize(complex.get(), floats.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnInplaceSinGetWorkspaceSize(integers.get(), &size, &executor), kInvalid);
  const OpScalar half(ACL_FLOAT, 0.5L);
  EXPECT_EQ(aclnnClampMinGetWorkspaceSize(integers.get(), half.get(), integers.get(), &size, &executor), kInvalid);
}

TEST_F(UnaryValidation, RefusesAttributes) {
  const OpTensor tensor(ACL_FLOAT, {3});
  const OpScalar zero(ACL_FLOAT, 0);
  const OpScalar negative(ACL_FLOAT, -1);
  const OpScalar complex(ACL_COMPLEX64, {1, 2});
  EXPECT_EQ(aclnnCeluGetWorkspaceSize(tensor.get(), zero.get(), tensor.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnSoftshrinkGetWorkspaceSize(tensor.get(), negative.get(), tensor.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnGeluV2GetWorkspaceSize(tensor.get(), 2, tensor.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnLeakyReluGetWorkspaceSize(tensor.get(), complex.get(), tensor.get(), &size, &executor), kInvalid);
}

TEST_F(UnaryValidation, RefusesMemoryThatOverlaps) {
  const OpTensor self(ACL_FLOAT, {16});
  const std::int64_t dims[] = {8};
  aclTensor* front = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, self.memory());
  aclTensor* middle = aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 4, ACL_FORMAT_ND, dims, 1, self.memory());
  EXPECT_EQ(aclnnSinGetWorkspaceSize(front, middle, &size, &executor), kInvalid);
  ASSERT_EQ(aclnnSinGetWorkspaceSize(front, front, &size, &executor), 0);
  EXPECT_EQ(aclnnSin(nullptr, 0, executor, stream()), 0);
  for (const aclTensor* tensor : {front, middle}) aclDestroyTensor(tensor);
}

class UnaryForms : public OpTest {};

TEST_F(UnaryForms, SignsFitWhateverHoldsATruth) {
  OpTensor self(ACL_FLOAT, {37});
  self.fill_random(61);
  for (const aclDataType type : {ACL_BOOL, ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_UINT8, ACL_INT16,
                                 ACL_UINT16, ACL_INT32, ACL_UINT32, ACL_INT64, ACL_UINT64}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    const OpTensor out(type, {37});
    const auto bytes = run([&](auto* n, auto** e) { return aclnnSignbitGetWorkspaceSize(self.get(), out.get(), n, e); },
                           aclnnSignbit, {&self}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return Number(Real(std::signbit(self.before(i).real()))); }, true);
  }
}

TEST_F(UnaryForms, ClampsWithOneBoundOrBoth) {
  OpTensor self(ACL_INT32, {37});
  self.fill_random(61);
  const OpScalar low(ACL_INT32, -10);
  const OpScalar high(ACL_FLOAT, 12.5L);
  const OpTensor out(ACL_FLOAT, {37});
  for (const bool has_low : {false, true}) {
    for (const bool has_high : {false, true}) {
      if (!has_low && !has_high) continue;
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnClampGetWorkspaceSize(self.get(), has_low ? low.get() : nullptr,
                                              has_high ? high.get() : nullptr, out.get(), n, e);
          },
          aclnnClamp, {&self}, out);
      const auto clamped = [&](std::int64_t i) {
        const Real x = self.before(i).real();
        return Number(std::min(std::max(x, has_low ? -10 : x), has_high ? 12.5L : 1000));
      };
      expect_elements(out, bytes, clamped, true);
    }
  }
}

TEST_F(UnaryForms, RoundsToDecimals) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_FLOAT16, ACL_INT32, ACL_INT64}) {
    for (const std::int64_t decimals : {2, 0, -1, -2, -30}) {
      SCOPED_TRACE(std::to_string(decimals) + " decimals of dtype " + std::to_string(type));
      OpTensor self(type, {40});
      self.fill([](std::int64_t i) { return Real((i - 20) * 5 + (i % 2) * 20); });
      const OpTensor out(type, {40});
      const auto bytes = run(
          [&](auto* n, auto** e) { return aclnnRoundDecimalsGetWorkspaceSize(self.get(), decimals, out.get(), n, e); },
          aclnnRoundDecimals, {&self}, out);
      const auto value = [&](std::int64_t i) {
        const Real x = self.before(i).real();
        const Real unit = std::pow(Real{10}, static_cast<Real>(std::abs(decimals)));
        return Number(decimals < 0 ? std::nearbyint(x / unit) * unit : std::nearbyint(x * unit) / unit);
      };
      expect_elements(out, bytes, value, is_integer(type));
    }
  }
}

TEST_F(UnaryForms, RoundsFractionsToDecimalsInPlace) {
  OpTensor self(ACL_FLOAT, {4});
  const Real values[] = {1.2345L, -2.71828L, 0.125L, 99.999L};
  const Real rounded_values[] = {1.23L, -2.72L, 0.12L, 100};
  self.fill([&](std::int64_t i) { return values[i]; });
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnInplaceRoundDecimalsGetWorkspaceSize(self.get(), 2, n, e); },
          aclnnInplaceRoundDecimals, {}, self);
  expect_elements(
      self, bytes, [&](std::int64_t i) { return Number(rounded_values[i]); }, false);
}

TEST_F(UnaryForms, LogSigmoidForwardFillsItsBuffer) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    OpTensor self(type, {31});
    self.fill_random(62);
    const OpTensor out(type, {31});
    const OpTensor buffer(type, {31});
    const OpTensor none(type, {0});
    const auto forward = [&](const OpTensor& kept) {
      return [&](auto* n, auto** e) {
        return aclnnLogSigmoidForwardGetWorkspaceSize(self.get(), out.get(), kept.get(), n, e);
      };
    };
    const auto expected = [&](std::int64_t i) { return Number(reference_log_sigmoid(self.before(i).real())); };
    expect_elements(out, run(forward(buffer), aclnnLogSigmoidForward, {&self}, out), expected, false);
    expect_elements(out, run(forward(none), aclnnLogSigmoidForward, {&self}, out), expected, false);
    const auto kept = [&](std::int64_t i) { return Number(std::exp(-std::fabs(self.before(i).real()))); };
    expect_elements(buffer, buffer.download(), kept, false);
    const auto in_place = [&](auto* n, auto** e) {
      return aclnnLogSigmoidForwardGetWorkspaceSize(self.get(), self.get(), buffer.get(), n, e);
    };
    expect_elements(self, run(in_place, aclnnLogSigmoidForward, {&buffer}, self), expected, false);
    expect_elements(buffer, buffer.download(), kept, false);
  }
}

TEST_F(UnaryForms, LogSigmoidForwardOfNothingHasAnyEmptyBuffer) {
  const OpTensor self(ACL_FLOAT, {2, 0});
  const OpTensor out(ACL_FLOAT, {2, 0});
  const OpTensor buffer(ACL_FLOAT, {0});
  run([&](auto* n,
          auto** e) { return aclnnLogSigmoidForwardGetWorkspaceSize(self.get(), out.get(), buffer.get(), n, e); },
      aclnnLogSigmoidForward, {&self, &buffer}, out);
}

TEST_F(UnaryForms, LogSigmoidForwardRefusesABufferThatIsSomethingElse) {
  const OpTensor self(ACL_FLOAT, {31});
  const OpTensor out(ACL_FLOAT, {31});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& to, const OpTensor& buffer) {
    return aclnnLogSigmoidForwardGetWorkspaceSize(self.get(), to.get(), buffer.get(), &size, &executor);
  };
  EXPECT_EQ(plan(out, self), 161002);
  EXPECT_EQ(plan(out, out), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
