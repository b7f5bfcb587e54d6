#include "ops/elementwise/binary_reference.hpp"

// The forms of an operator beside "two tensors": a scalar operand, and in place.

namespace aclvk::test {
namespace {

class BinaryForms : public OpTest {
 protected:
  static void expect(const OpTensor& out, const std::vector<std::byte>& bytes, Meaning meaning, const OpTensor& self,
                     const std::function<Number(std::int64_t)>& other, Number alpha, aclDataType promoted) {
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          return rounded(reference(meaning, self.before(i), other(i), alpha, promoted), out.type());
        },
        is_exact(meaning, promoted));
  }
};

TEST_F(BinaryForms, TakesAScalarOfAnyKind) {
  struct Case {
    aclDataType self, scalar, promoted;
    Number value;
  };
  const Case cases[] = {
      {ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, 2.25L},        {ACL_FLOAT16, ACL_DOUBLE, ACL_FLOAT16, 1.5L},
      {ACL_INT32, ACL_INT64, ACL_INT32, -7.0L},        {ACL_INT64, ACL_INT32, ACL_INT64, 3.0L},
      {ACL_INT32, ACL_FLOAT, ACL_FLOAT, 0.5L},         {ACL_BOOL, ACL_INT32, ACL_INT32, 5.0L},
      {ACL_DOUBLE, ACL_FLOAT16, ACL_DOUBLE, 0.25L},    {ACL_BF16, ACL_BF16, ACL_BF16, 3.0L},
      {ACL_COMPLEX64, ACL_FLOAT, ACL_COMPLEX64, 1.5L}, {ACL_FLOAT, ACL_COMPLEX64, ACL_COMPLEX64, {1, -2}},
      {ACL_UINT8, ACL_INT8, ACL_UINT8, -1.0L}};
  for (const Case& c : cases) {
    SCOPED_TRACE("dtype " + std::to_string(c.self) + " and scalar of dtype " + std::to_string(c.scalar));
    OpTensor self(c.self, {5, 7});
    self.fill_random(21);
    const OpTensor out(c.promoted, {5, 7});
    const OpScalar other(c.scalar, c.value);
    const OpScalar alpha(c.promoted, 2);
    const auto sum = run(
        [&](uint64_t* n, aclOpExecutor** e) {
          return aclnnAddsGetWorkspaceSize(self.get(), other.get(), alpha.get(), out.get(), n, e);
        },
        aclnnAdds, {&self}, out);
    const auto value = [&](std::int64_t) { return other.value(); };
    expect(out, sum, Meaning::kAdd, self, value, 2, c.promoted);
    const auto product =
        run([&](uint64_t* n,
                aclOpExecutor** e) { return aclnnMulsGetWorkspaceSize(self.get(), other.get(), out.get(), n, e); },
            aclnnMuls, {&self}, out);
    expect(out, product, Meaning::kMul, self, value, 1, c.promoted);
  }
}

TEST_F(BinaryForms, SubtractsAndDividesByScalars) {
  OpTensor self(ACL_FLOAT, {13});
  self.fill_random(22);
  const OpTensor out(ACL_FLOAT, {13});
  const OpScalar other(ACL_FLOAT, 2.5L);
  const OpScalar alpha(ACL_FLOAT, 3.0L);
  const auto value = [&](std::int64_t) { return other.value(); };
  const auto check = [&](const Plan& plan, Launch launch, Meaning meaning, Number a) {
    expect(out, run(plan, launch, {&self}, out), meaning, self, value, a, ACL_FLOAT);
  };
  const auto* x = self.get();
  const auto* y = other.get();
  check([&](auto* n, auto** e) { return aclnnSubsGetWorkspaceSize(x, y, alpha.get(), out.get(), n, e); }, aclnnSubs,
        Meaning::kSub, 3);
  check([&](auto* n, auto** e) { return aclnnRsubsGetWorkspaceSize(x, y, alpha.get(), out.get(), n, e); }, aclnnRsubs,
        Meaning::kRsub, 3);
  check([&](auto* n, auto** e) { return aclnnDivsGetWorkspaceSize(x, y, out.get(), n, e); }, aclnnDivs, Meaning::kDiv,
        1);
  check([&](auto* n, auto** e) { return aclnnDivModsGetWorkspaceSize(x, y, 1, out.get(), n, e); }, aclnnDivMods,
        Meaning::kDivTrunc, 1);
  check([&](auto* n, auto** e) { return aclnnDivModsGetWorkspaceSize(x, y, 2, out.get(), n, e); }, aclnnDivMods,
        Meaning::kDivFloor, 1);
}

TEST_F(BinaryForms, WritesIntoTheFirstOperand) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT64, ACL_COMPLEX64}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    OpTensor self(type, {3, 11}, {{1, 3}, 0});
    OpTensor other(type, {11});
    self.fill_random(23);
    other.fill_random(24);
    const OpScalar alpha(type, 2);
    const auto value = [&](std::int64_t i) { return other.before(i % 11); };
    const auto check = [&](const Plan& plan, Launch launch, Meaning meaning, Number a) {
      expect(self, run(plan, launch, {&other}, self), meaning, self, value, a, type);
    };
    check(
        [&](auto* n, auto** e) { return aclnnInplaceAddGetWorkspaceSize(self.get(), other.get(), alpha.get(), n, e); },
        aclnnInplaceAdd, Meaning::kAdd, 2);
    check(
        [&](auto* n, auto** e) { return aclnnInplaceSubGetWorkspaceSize(self.get(), other.get(), alpha.get(), n, e); },
        aclnnInplaceSub, Meaning::kSub, 2);
    check([&](auto* n, auto** e) { return aclnnInplaceMulGetWorkspaceSize(self.get(), other.get(), n, e); },
          aclnnInplaceMul, Meaning::kMul, 1);
  }
}

TEST_F(BinaryForms, WritesScalarResultsIntoTheFirstOperand) {
  OpTensor self(ACL_FLOAT, {5, 7});
  self.fill_random(25);
  const OpScalar other(ACL_FLOAT, 1.25L);
  const OpScalar alpha(ACL_FLOAT, 2.0L);
  const auto value = [&](std::int64_t) { return other.value(); };
  const auto check = [&](const Plan& plan, Launch launch, Meaning meaning, Number a) {
    expect(self, run(plan, launch, {}, self), meaning, self, value, a, ACL_FLOAT);
  };
  auto* x = self.get();
  const auto* y = other.get();
  check([&](auto* n, auto** e) { return aclnnInplaceAddsGetWorkspaceSize(x, y, alpha.get(), n, e); }, aclnnInplaceAdds,
        Meaning::kAdd, 2);
  check([&](auto* n, auto** e) { return aclnnInplaceSubsGetWorkspaceSize(x, y, alpha.get(), n, e); }, aclnnInplaceSubs,
        Meaning::kSub, 2);
  check([&](auto* n, auto** e) { return aclnnInplaceMulsGetWorkspaceSize(x, y, n, e); }, aclnnInplaceMuls,
        Meaning::kMul, 1);
  check([&](auto* n, auto** e) { return aclnnInplaceDivsGetWorkspaceSize(x, y, n, e); }, aclnnInplaceDivs,
        Meaning::kDiv, 1);
  check([&](auto* n, auto** e) { return aclnnInplaceDivModsGetWorkspaceSize(x, y, 2, n, e); }, aclnnInplaceDivMods,
        Meaning::kDivFloor, 1);
}

TEST_F(BinaryForms, AddsATensorToItself) {
  OpTensor self(ACL_FLOAT, {37});
  self.fill_random(26);
  const OpScalar alpha(ACL_FLOAT, 1);
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnInplaceAddGetWorkspaceSize(self.get(), self.get(), alpha.get(), n, e); },
          aclnnInplaceAdd, {}, self);
  expect_elements(
      self, bytes, [&](std::int64_t i) { return self.before(i) * Number(2); }, true);
}

}  // namespace
}  // namespace aclvk::test
