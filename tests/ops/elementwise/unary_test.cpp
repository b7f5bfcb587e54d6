#include "ops/elementwise/unary_reference.hpp"

namespace aclvk::test {
namespace {

/// Nearer than the specification asks for: these functions are the library's own.
bool is_near(Number got, Number expected, aclDataType type) {
  if (type != ACL_FLOAT && type != ACL_DOUBLE) return is_close(got, expected, type);
  const Real bound = type == ACL_FLOAT ? 0x1p-20L : 0x1p-44L;
  const Real a = got.real();
  const Real g = expected.real();
  if (std::isnan(g) || std::isinf(g)) return is_equal(got, expected);
  return std::fabs(a - g) <= bound * std::fmax(std::fabs(g), 0x1p-2L);
}

class UnaryOpTest : public OpTest {
 protected:
  static Number expected(const UnaryOp& op, Number x, aclDataType result) { return rounded(result_of(op, x), result); }

  static Number result_of(const UnaryOp& op, Number x) {
    return op.complex && (x.imag() != 0 || !op.real) ? op.complex(x) : op.real(x.real());
  }

  static void expect(const UnaryOp& op, const OpTensor& self, const OpTensor& out,
                     const std::vector<std::byte>& bytes) {
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const Number x = self.before(source_of(i, out.shape(), self.shape()));
      const bool exact = is_integer(out.type());
      const Number want = expected(op, x, out.type());
      const Number got = out.in(bytes, i);
      ASSERT_TRUE(exact ? is_equal(got, want) : is_near(got, want, out.type()))
          << op.name << " of element " << i << ", " << text_of(x) << " (dtype " << self.type() << "), is "
          << text_of(got) << "; expected " << text_of(want);
    }
  }

  static void check(const UnaryOp& op, const OpTensor& self, const OpTensor& out) {
    SCOPED_TRACE(op.name + " dtypes " + std::to_string(self.type()) + " -> " + std::to_string(out.type()));
    const auto bytes =
        run([&](auto* n, auto** e) { return op.plan(self.get(), out.get(), n, e); }, op.launch, {&self}, out);
    expect(op, self, out, bytes);
  }

  static void check_in_place(const UnaryOp& op, const OpTensor& self) {
    SCOPED_TRACE(op.name + " in place, dtype " + std::to_string(self.type()));
    const auto bytes =
        run([&](auto* n, auto** e) { return op.plan_in_place(self.get(), n, e); }, op.launch_in_place, {}, self);
    expect(op, self, self, bytes);
  }

  /// Random values, for floats behind those that are easily wrong.
  static OpTensor& filled(OpTensor& tensor, unsigned seed) {
    tensor.fill_random(seed);
    if (!is_floating(tensor.type())) return tensor;
    const std::vector<Real> random = [&] {
      std::vector<Real> values;
      for (std::int64_t i = 0; i < tensor.count(); ++i) values.push_back(tensor.before(i).real());
      return values;
    }();
    return tensor.fill([&](std::int64_t i) { return interesting_value(i, random[static_cast<std::size_t>(i)]); });
  }
};

class UnaryOps : public UnaryOpTest, public testing::WithParamInterface<UnaryOp> {};

TEST_P(UnaryOps, ComputesEveryDtype) {
  const UnaryOp& op = GetParam();
  for (const aclDataType type : types_of(op.types)) {
    OpTensor self(type, {7, 11});
    const OpTensor out(result_type(op.result, type), {7, 11});
    check(op, filled(self, 51), out);
  }
}

TEST_P(UnaryOps, WorksInPlace) {
  const UnaryOp& op = GetParam();
  if (!op.plan_in_place) return SUCCEED();
  for (const aclDataType type : types_of(op.types)) {
    if (op.result != Result::kTruth && result_type(op.result, type) != type) continue;
    OpTensor self(type, {5, 7}, {{1, 5}, 3});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    // The form in place takes fewer dtypes of some operators.
    if (op.plan_in_place(self.get(), &size, &executor) != 0) {
      EXPECT_TRUE(type == ACL_DOUBLE || is_complex(type)) << op.name << " refuses dtype " << type << " in place";
      continue;
    }
    EXPECT_EQ(op.launch_in_place(nullptr, 0, executor, stream()), 0);
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    check_in_place(op, filled(self, 52));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, UnaryOps, testing::ValuesIn(unary_ops()),
                         [](const auto& each) { return each.param.name + "_" + std::to_string(each.index); });

/// One operator of each topic: the frame is the same for all rows of it.
class UnaryViews : public UnaryOpTest, public testing::WithParamInterface<const char*> {};

TEST_P(UnaryViews, TakesStridesAndOffsets) {
  const UnaryOp& op = unary_op(GetParam());
  for (const aclDataType type : types_of(op.types)) {
    OpTensor self(type, {5, 7}, {{1, 5}, 3});
    const OpTensor out(result_type(op.result, type), {5, 7}, {{9, 1}, 5});
    check(op, filled(self, 53), out);
    OpTensor expanded(type, {3, 8}, {{0, 1}, 2});
    const OpTensor plain(result_type(op.result, type), {3, 8});
    check(op, filled(expanded, 54), plain);
  }
}

TEST_P(UnaryViews, TakesAnySize) {
  const UnaryOp& op = unary_op(GetParam());
  for (const aclDataType type : types_of(op.types)) {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{3}, Shape{89}, Shape{521}, Shape{4, 0}}) {
      OpTensor self(type, shape);
      const OpTensor out(result_type(op.result, type), shape);
      check(op, self.fill_random(55), out);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Topics, UnaryViews,
                         testing::Values("Neg", "LogicalNot", "Exp", "Tanh", "Silu", "Sin", "Asin", "Erf"));

TEST_F(UnaryOpTest, ResultsMayHaveAnotherDtype) {
  struct Case {
    const char* op;
    aclDataType self, out;
  };
  const Case cases[] = {
      {"Sin", ACL_FLOAT, ACL_FLOAT16},   {"Sin", ACL_FLOAT16, ACL_FLOAT},     {"Exp", ACL_INT64, ACL_DOUBLE},
      {"Floor", ACL_INT8, ACL_INT64},    {"LogicalNot", ACL_FLOAT, ACL_INT8}, {"LogicalNot", ACL_INT64, ACL_DOUBLE},
      {"Neg", ACL_INT32, ACL_DOUBLE},    {"Neg", ACL_INT64, ACL_FLOAT},       {"Sqrt", ACL_INT8, ACL_BF16},
      {"Neg", ACL_FLOAT, ACL_COMPLEX64}, {"Floor", ACL_INT64, ACL_DOUBLE}};
  for (const Case& c : cases) {
    OpTensor self(c.self, {31});
    const OpTensor out(c.out, {31});
    check(unary_op(c.op), self.fill_random(56), out);
  }
}

TEST_F(UnaryOpTest, ReducesArgumentsOfAnySize) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    for (const char* name : {"Sin", "Cos", "Tan"}) {
      OpTensor self(type, {600});
      const OpTensor out(type, {600});
      std::mt19937 random(57);
      const int largest = type == ACL_FLOAT ? 127 : 1000;
      self.fill([&](std::int64_t i) {
        return std::ldexp(1 + Real(random()) / 0x1p32L, static_cast<int>(i) % largest) * (i % 2 ? 1 : -1);
      });
      check(unary_op(name), self, out);
    }
  }
}

}  // namespace
}  // namespace aclvk::test
