#include "ops/reduction/reduce_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT32,     ACL_INT64,
                                  ACL_INT16, ACL_INT8,    ACL_UINT8, ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};
const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

class Reductions : public OpTest {
 protected:
  static const ReduceCase& case_of(const std::string& name) {
    for (const ReduceCase& c : reduce_cases()) {
      if (name == c.name) return c;
    }
    throw std::logic_error("no operator " + name);
  }

  static aclDataType result_of(ReduceKind kind, aclDataType type) { return is_truth(kind) ? ACL_BOOL : type; }

  /// Runs one call on filled tensors, and compares it with the reference.
  static void check(const ReduceCase& op, const OpTensor& self, const Shape& dims, bool keep, aclDataType type,
                    const OpTensor& out) {
    SCOPED_TRACE(std::string(op.name) + " of dtype " + std::to_string(self.type()) + " in " + std::to_string(type));
    const OpInts ints(dims);
    const auto bytes = run(
        [&](uint64_t* n, aclOpExecutor** e) {
          return op.plan({self.get(), ints.get(), keep, type, out.get(), n, e});
        },
        op.launch, {&self}, out);
    const auto sources = Reduced(self.shape(), op.has_dims ? dims : Shape{}).sources();
    const auto expected = [&](std::int64_t i) {
      std::vector<Number> x;
      for (const std::int64_t source : sources[static_cast<std::size_t>(i)]) {
        const Number value = self.before(source);
        x.push_back(is_truth(op.kind) || is_integer(type) ? value : rounded(value, type));
      }
      return rounded(reduce_reference(op.kind, x, type), out.type());
    };
    expect_elements(out, bytes, expected, is_integer(type));
  }

  static void check(const ReduceCase& op, const OpTensor& self, const Shape& dims, bool keep = false) {
    const Reduced reduced(self.shape(), op.has_dims ? dims : Shape{});
    check(op, self, dims, keep, self.type(),
          OpTensor(result_of(op.kind, self.type()), reduced.result(keep && op.has_dims)));
  }

  /// Fills with numbers near 1 for products, so that these stay in range.
  static OpTensor& fill(OpTensor& tensor, ReduceKind kind, unsigned seed) {
    if (kind != ReduceKind::kProd && kind != ReduceKind::kLogSum) return tensor.fill_random(seed);
    std::mt19937 random(seed);
    return tensor.fill([&](std::int64_t) -> Number {
      if (is_integer(tensor.type())) return tensor.type() == ACL_UINT8 || random() % 2 ? 1 : -1;
      return Real(random() % 64 + 96) / 128;
    });
  }
};

class ReductionTypes : public Reductions, public testing::WithParamInterface<aclDataType> {};

TEST_P(ReductionTypes, ReduceEveryDim) {
  for (const ReduceCase& op : reduce_cases()) {
    if (!takes(op.kind, GetParam())) continue;
    OpTensor self(GetParam(), {5, 11, 13});
    fill(self, op.kind, 1);
    check(op, self, {-1});
    check(op, self, {0, 2}, true);
    check(op, self, {});
  }
}

TEST_P(ReductionTypes, TakeStridesAndOffsets) {
  for (const char* name : {"ReduceSum", "Any"}) {
    const ReduceCase& op = case_of(name);
    if (!takes(op.kind, GetParam())) continue;
    OpTensor self(GetParam(), {7, 4, 9}, {{1, 65, 7}, 3});
    self.fill_random(2);
    const OpTensor out(result_of(op.kind, GetParam()), {4, 9}, {{2, 9}, 1});
    check(op, self, {0}, false, GetParam(), out);
    OpTensor expanded(GetParam(), {3, 17, 2}, {{0, 1, 0}, 1});
    check(op, expanded.fill_random(3), {0, 1});
  }
}

TEST_P(ReductionTypes, CutLongRows) {
  for (const char* name : {"ReduceSum", "Amin"}) {
    const ReduceCase& op = case_of(name);
    if (!takes(op.kind, GetParam())) continue;
    OpTensor self(GetParam(), {3, 30011});
    self.fill_random(4);
    if (!is_integer(GetParam())) self.fill([](std::int64_t i) { return Real((i * 7 + i / 5) % 61 - 20); });
    if (GetParam() == ACL_FLOAT16) self.fill([](std::int64_t i) { return Real(i % 3 - 1) / 4; });
    check(op, self, {1});
    check(op, self, {0});
    check(op, self, {});
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ReductionTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Reductions, TakeAnyDims) {
  OpTensor self(ACL_FLOAT, {3, 5, 7, 2});
  self.fill_random(8);
  for (int mask = 1; mask < 16; ++mask) {
    Shape dims;
    for (int dim = 0; dim < 4; ++dim) {
      if (mask >> dim & 1) dims.push_back(mask % 3 ? dim : dim - 4);
    }
    check(case_of("ReduceSum"), self, dims, mask % 2 == 0);
  }
}

TEST_F(Reductions, RowsOfVec8s) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT16}) {
    for (const std::int64_t offset : {0, 8, 5}) {
      for (const std::int64_t length : {128, 200, 1040}) {
        OpTensor self(type, {5, length}, {{length + 16, 1}, offset});
        check(case_of("ReduceSum"), self.fill_random(9), {1});
        check(case_of("Amax"), self, {1});
      }
    }
    OpTensor groups(type, {64, 256});
    check(case_of("ReduceSum"), groups.fill_random(10), {1});
    OpTensor middle(type, {4, 2, 16, 128}, {{8192, 4096, 128, 1}, 0});
    check(case_of("ReduceSum"), middle.fill_random(11), {1, 3});
  }
}

TEST_F(Reductions, ComputeInTheDtypeThatIsAskedFor) {
  struct Case {
    aclDataType self, type, out;
  };
  const Case cases[] = {{ACL_BOOL, ACL_INT64, ACL_INT64},   {ACL_INT8, ACL_INT32, ACL_INT32},
                        {ACL_UINT8, ACL_INT64, ACL_INT64},  {ACL_INT32, ACL_INT64, ACL_INT64},
                        {ACL_INT32, ACL_FLOAT, ACL_FLOAT},  {ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT},
                        {ACL_BF16, ACL_DOUBLE, ACL_DOUBLE}, {ACL_FLOAT, ACL_FLOAT, ACL_FLOAT16},
                        {ACL_INT64, ACL_INT64, ACL_FLOAT},  {ACL_FLOAT, ACL_COMPLEX64, ACL_COMPLEX64}};
  for (const Case& c : cases) {
    OpTensor self(c.self, {3, 101});
    self.fill_random(5);
    check(case_of("ReduceSum"), self, {1}, true, c.type, OpTensor(c.out, {3, 1}));
    check(case_of("ReduceSum"), self, {}, false, c.type, OpTensor(c.out, {}));
  }
}

TEST_F(Reductions, WrapIntegers) {
  OpTensor self(ACL_INT32, {1000});
  self.fill([](std::int64_t i) { return Real(2'000'000'000 + i); });
  check(case_of("ReduceSum"), self, {0});
  check(case_of("ReduceSum"), self, {0}, false, ACL_INT64, OpTensor(ACL_INT64, {}));
  check(case_of("Prod"), self, {}, false, ACL_INT64, OpTensor(ACL_INT64, {}));
}

TEST_F(Reductions, KeepNanAndInfinity) {
  const Real x[] = {1, 2, kNan, 4, kInf, -3, kInf, -kInf, -kInf, 5, -1, 0};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    OpTensor self(type, {4, 3});
    self.fill([&](std::int64_t i) { return x[i]; });
    for (const ReduceCase& op : reduce_cases()) {
      if (!takes(op.kind, type)) continue;
      check(op, self, {1});
      check(op, self, {0});
    }
  }
}

TEST_F(Reductions, OfNothing) {
  struct Case {
    const char* op;
    Real result;
  };
  for (const Case& c : {Case{"ReduceSum", 0}, Case{"Mean", kNan}, Case{"All", 1}, Case{"Any", 0}}) {
    SCOPED_TRACE(c.op);
    const ReduceCase& op = case_of(c.op);
    const OpTensor self(ACL_FLOAT, {3, 0, 5});
    const OpTensor out(result_of(op.kind, ACL_FLOAT), {3, 5});
    const OpInts dims({1});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return op.plan({self.get(), dims.get(), false, ACL_FLOAT, out.get(), n, e});
        },
        op.launch, {}, out);
    expect_elements(
        out, bytes, [&](std::int64_t) { return c.result; }, true);
  }
}

TEST_F(Reductions, OfNothingToNothing) {
  const OpTensor self(ACL_FLOAT, {3, 0, 5});
  const OpTensor out(ACL_FLOAT, {3, 0});
  const OpInts dims({2});
  for (const char* name : {"ReduceSum", "Amax"}) {
    const ReduceCase& op = case_of(name);
    run(
        [&](auto* n, auto** e) {
          return op.plan({self.get(), dims.get(), false, ACL_FLOAT, out.get(), n, e});
        },
        op.launch, {}, out);
  }
}

TEST_F(Reductions, OfAScalar) {
  OpTensor self(ACL_FLOAT, {});
  self.fill([](std::int64_t) { return Real{2.5}; });
  for (const ReduceCase& op : reduce_cases()) {
    check(op, self, {});
    check(op, self, {0});
    check(op, self, {-1}, true);
  }
}

TEST_F(Reductions, FillAnyShapeOfOneElement) {
  OpTensor self(ACL_FLOAT, {19});
  self.fill_random(6);
  check(case_of("ReduceSum"), self, {0}, false, ACL_FLOAT, OpTensor(ACL_FLOAT, {1, 1}));
  check(case_of("ReduceSum"), self, {0}, true, ACL_FLOAT, OpTensor(ACL_FLOAT, {}));
}

TEST_F(Reductions, WithoutDimsAndWithNoopCopy) {
  OpTensor self(ACL_FLOAT, {3, 7});
  self.fill_random(7);
  const OpTensor out(ACL_FLOAT, {3, 7});
  const OpInts none({});
  const auto copied =
      run([&](auto* n,
              auto** e) { return aclnnMaxV2GetWorkspaceSize(self.get(), none.get(), false, true, out.get(), n, e); },
          aclnnMaxV2, {&self}, out);
  expect_elements(
      out, copied, [&](std::int64_t i) { return self.before(i); }, true);
}

TEST_F(Reductions, SumManyElementsWell) {
  constexpr std::int64_t kCount = 10'000'019;
  OpTensor self(ACL_FLOAT, {kCount});
  self.fill([](std::int64_t i) { return Real(i % 1009) / 1009; });
  Real exact = 0;
  for (std::int64_t i = 0; i < kCount; ++i) exact += self.before(i).real();
  const OpTensor out(ACL_FLOAT, {});
  const OpInts dims({0});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnReduceSumGetWorkspaceSize(self.get(), dims.get(), false, ACL_FLOAT, out.get(), n, e);
      },
      aclnnReduceSum, {&self}, out);
  EXPECT_LT(std::fabs(out.in(bytes, 0).real() / exact - 1), 1e-6L);
}

TEST_F(Reductions, RefuseWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {3, 7});
  const OpTensor half(ACL_COMPLEX32, {3, 7});
  const OpTensor empty(ACL_FLOAT, {3, 0});
  const OpTensor out(ACL_FLOAT, {3});
  const OpTensor complex(ACL_COMPLEX64, {3});
  const OpInts last({1});
  const OpInts outside({2});
  const OpInts twice({1, -1});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto sum = [&](const aclTensor* x, const aclIntArray* dims, aclDataType type, aclTensor* y) {
    return aclnnReduceSumGetWorkspaceSize(x, dims, false, type, y, &n, &e);
  };
  EXPECT_EQ(sum(nullptr, last.get(), ACL_FLOAT, out.get()), 161001);
  EXPECT_EQ(sum(self.get(), nullptr, ACL_FLOAT, out.get()), 161001);
  EXPECT_EQ(sum(self.get(), last.get(), ACL_FLOAT, nullptr), 161001);
  EXPECT_EQ(aclnnReduceSumGetWorkspaceSize(self.get(), last.get(), false, ACL_FLOAT, out.get(), nullptr, &e), 161001);
  EXPECT_EQ(aclnnReduceSumGetWorkspaceSize(self.get(), last.get(), false, ACL_FLOAT, out.get(), &n, nullptr), 161001);
  EXPECT_EQ(sum(half.get(), last.get(), ACL_FLOAT, out.get()), 161002);
  EXPECT_EQ(sum(self.get(), last.get(), ACL_INT32, out.get()), 161002);
  EXPECT_EQ(sum(self.get(), last.get(), ACL_STRING, out.get()), 161002);
  EXPECT_EQ(sum(self.get(), last.get(), ACL_COMPLEX64, out.get()), 161002);
  EXPECT_EQ(sum(self.get(), outside.get(), ACL_FLOAT, out.get()), 161002);
  EXPECT_EQ(sum(self.get(), twice.get(), ACL_FLOAT, out.get()), 161002);
  EXPECT_EQ(aclnnReduceSumGetWorkspaceSize(self.get(), last.get(), true, ACL_FLOAT, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnAmaxGetWorkspaceSize(self.get(), last.get(), false, complex.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnAmaxGetWorkspaceSize(empty.get(), last.get(), false, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnAnyGetWorkspaceSize(self.get(), last.get(), false, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnProdDimGetWorkspaceSize(self.get(), 2, false, ACL_FLOAT, out.get(), &n, &e), 161002);
}

}  // namespace
}  // namespace aclvk::test
