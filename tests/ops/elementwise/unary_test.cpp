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
  return std::fabs(a - g) <= bound * std::fmax(std::fabs(g), Real{1});
}

class UnaryOpTest : public OpTest {
 protected:
  /// Rounded to what the operator computes in, then to what it stores.
  static Number expected(const UnaryOp& op, Number x, aclDataType type, aclDataType result) {
    const Number exact = result_of(op, x);
    if (op.result == Result::kTruth) return exact;
    const aclDataType computed = result_type(op.result, type);
    return rounded(is_integer(computed) ? exact : rounded(exact, computed), result);
  }

  static Number result_of(const UnaryOp& op, Number x) {
    return op.complex && (x.imag() != 0 || !op.real) ? op.complex(x) : op.real(x.real());
  }

  static void expect(const UnaryOp& op, const OpTensor& self, const OpTensor& out,
                     const std::vector<std::byte>& bytes) {
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const Number x = self.before(source_of(i, out.shape(), self.shape()));
      const bool exact = is_integer(out.type());
      const Number want = expected(op, x, self.type(), out.type());
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

  /// Random values, for floats after those that are easily wrong.
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

/// Of the integers, which the frame converts for all operators alike, every third. The name says which is the first: a
/// place in the table changes with each new row.
std::vector<aclDataType> usual_types(const UnaryOp& op) {
  auto nth = static_cast<unsigned>(op.name.back());
  std::vector<aclDataType> types;
  for (const aclDataType type : types_of(op.types)) {
    if (!is_integer(type) || op.types.size() < 5 || nth++ % 3 == 0) types.push_back(type);
  }
  return types;
}

/// Returns a name for the tests of a row: some operators have a second row for the form in place, which takes other
/// dtypes.
std::string name_of_row(const UnaryOp& row) {
  const bool other_forms = row.plan_in_place && !unary_op(row.name).plan_in_place;
  return other_forms ? row.name + "InPlace" : row.name;
}

class UnaryOps : public UnaryOpTest, public testing::WithParamInterface<UnaryOp> {};

TEST_P(UnaryOps, ComputesEveryDtype) {
  const UnaryOp& op = GetParam();
  for (const aclDataType type : usual_types(op)) {
    OpTensor self(type, {7, 11});
    const OpTensor out(result_type(op.result, type), {7, 11});
    check(op, filled(self, 51), out);
  }
}

TEST_P(UnaryOps, TakesTheDtypesOfTheTables) {
  const UnaryOp& op = GetParam();
  std::string accepted;
  for (const UnaryOp& form : unary_ops()) {
    if (form.launch == op.launch) accepted += form.types;
  }
  for (const char letter : std::string("FHBD1248u?czhvwx")) {
    const aclDataType type = types_of(std::string(1, letter))[0];
    const bool takes = accepted.find(letter) != std::string::npos;
    const OpTensor self(type, {2});
    const OpTensor out(result_type(takes && is_complex(type) && !op.complex ? Result::kPart : op.result, type), {2});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = op.plan(self.get(), out.get(), &size, &executor);
    EXPECT_EQ(status, takes ? 0 : 161002) << op.name << " of dtype " << type << ": " << aclGetRecentErrMsg();
    if (status == 0) {
      EXPECT_EQ(size, 0U);
      const aclnnStatus launched = op.launch(nullptr, 0, executor, stream());
      skip_if_lacking(launched);
      EXPECT_EQ(launched, 0);
    }
  }
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
}

class UnaryOpsInPlace : public UnaryOps {};

TEST_P(UnaryOpsInPlace, Compute) {
  const UnaryOp& op = GetParam();
  for (const aclDataType type : usual_types(op)) {
    if (op.result != Result::kTruth && result_type(op.result, type) != type) continue;
    OpTensor self(type, {5, 7}, {{1, 5}, 3});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    // The form in place takes fewer dtypes of some operators.
    if (op.plan_in_place(self.get(), &size, &executor) != 0) {
      EXPECT_TRUE(type == ACL_DOUBLE || type == ACL_BF16 || is_complex(type))
          << op.name << " refuses dtype " << type << " in place";
      continue;
    }
    check_in_place(op, filled(self, 52));
  }
}

std::vector<UnaryOp> ops_in_place() {
  std::vector<UnaryOp> result;
  for (const UnaryOp& op : unary_ops()) {
    if (op.plan_in_place) result.push_back(op);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Table, UnaryOps, testing::ValuesIn(unary_ops()),
                         [](const auto& each) { return name_of_row(each.param); });
INSTANTIATE_TEST_SUITE_P(Table, UnaryOpsInPlace, testing::ValuesIn(ops_in_place()),
                         [](const auto& each) { return name_of_row(each.param); });

/// One operator of each topic: the frame is the same for all rows of it.
struct Topic {
  const char* op;
  const char* types;
};
void PrintTo(const Topic& topic, std::ostream* out) { *out << topic.op; }

class UnaryViews : public UnaryOpTest, public testing::WithParamInterface<Topic> {};

TEST_P(UnaryViews, TakesStridesOffsetsAndSizes) {
  const UnaryOp& op = unary_op(GetParam().op);
  for (const aclDataType type : types_of(GetParam().types)) {
    OpTensor self(type, {5, 7}, {{1, 5}, 3});
    const OpTensor out(result_type(op.result, type), {5, 7}, {{9, 1}, 5});
    check(op, filled(self, 53), out);
    OpTensor expanded(type, {3, 8}, {{0, 1}, 2});
    const OpTensor plain(result_type(op.result, type), {3, 8});
    check(op, filled(expanded, 54), plain);
    for (const Shape& shape : {Shape{}, Shape{521}, Shape{4, 0}}) {
      OpTensor whole(type, shape);
      const OpTensor result(result_type(op.result, type), shape);
      check(op, whole.fill_random(55), result);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Topics, UnaryViews,
                         testing::Values(Topic{"Neg", "FH1z"}, Topic{"LogicalNot", "F8u"}, Topic{"Exp", "FBc"},
                                         Topic{"Tanh", "H2"}, Topic{"Silu", "F"}, Topic{"Sin", "FD"},
                                         Topic{"Asin", "H"}, Topic{"Erf", "D"}),
                         [](const auto& topic) { return std::string(topic.param.op); });

TEST_F(UnaryOpTest, ResultsMayHaveAnotherDtype) {
  struct Case {
    const char* op;
    aclDataType self, out;
  };
  const Case cases[] = {
      {"Sin", ACL_FLOAT, ACL_FLOAT16},   {"Sin", ACL_FLOAT16, ACL_FLOAT},     {"Exp", ACL_INT64, ACL_DOUBLE},
      {"Floor", ACL_INT8, ACL_INT64},    {"LogicalNot", ACL_FLOAT, ACL_INT8}, {"LogicalNot", ACL_INT64, ACL_DOUBLE},
      {"Neg", ACL_INT32, ACL_DOUBLE},    {"Neg", ACL_INT64, ACL_FLOAT},       {"Sqrt", ACL_INT8, ACL_BF16},
      {"Neg", ACL_FLOAT, ACL_COMPLEX64}, {"Floor", ACL_INT64, ACL_DOUBLE},    {"Abs", ACL_INT32, ACL_INT64},
      {"Abs", ACL_INT16, ACL_DOUBLE},    {"Sign", ACL_INT32, ACL_INT64}};
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
