#include "ops/attention/backward_reference.hpp"

namespace aclvk::test {
namespace {

class AttentionGradients : public OpTest {
 protected:
  static void expect_numbers(const OpTensor& tensor, const std::vector<std::byte>& bytes, const Numbers& want,
                             const char* name) {
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const Number got = tensor.in(bytes, i);
      const Real expected = want[static_cast<std::size_t>(i)];
      ASSERT_TRUE(is_close(got, expected, tensor.type()))
          << name << ", element " << i << " is " << text_of(got) << "; expected " << text_of(expected);
    }
  }

  static void check(const AttentionGradientCase& c) {
    SCOPED_TRACE(testing::Message() << c.layout << ", version " << c.version << ", dtype " << c.type << ", mode "
                                    << c.mode << ", kept " << c.kept << ", pseType " << c.shift_kind << ", columns "
                                    << c.sizes.columns << " and " << c.value_columns);
    Gradient gradient(c);
    const auto bytes = run([&](auto* size, auto** executor) { return gradient.plan(size, executor); },
                           gradient.launch(), gradient.others(), gradient.dq);
    ASSERT_NO_FATAL_FAILURE(expect_numbers(gradient.dq, bytes, gradient.want_dq, "dq"));
    ASSERT_NO_FATAL_FAILURE(expect_numbers(gradient.dk, gradient.dk.download(), gradient.want_dk, "dk"));
    ASSERT_NO_FATAL_FAILURE(expect_numbers(gradient.dv, gradient.dv.download(), gradient.want_dv, "dv"));
    if (c.sinks) expect_numbers(gradient.dsink, gradient.dsink.download(), gradient.want_dsink, "dsink");
    if (c.rope_columns() == 0) return;
    expect_numbers(gradient.dq_rope, gradient.dq_rope.download(), gradient.want_dq_rope, "dqRope");
    expect_numbers(gradient.dk_rope, gradient.dk_rope.download(), gradient.want_dk_rope, "dkRope");
  }
};

// The chain rule above against differences of the forward pass, which knows nothing of it.
TEST(AttentionGradientReference, IsTheDerivative) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  {
    AttentionGradientCase c;
    c.sizes = {1, 2, 1, 3, 5, 4};
    c.value_columns = 3;
    c.kept = 0.75;
    c.mode = 3;
    c.shift_kind = 1;
    c.version = 3;
    c.sinks = true;
    const Gradient gradient(c);
    const auto expect_derivative = [&](const OpTensor& tensor, const Numbers& want) {
      constexpr Real kStep = 1e-5L;
      for (std::int64_t i = 0; i < tensor.count(); ++i) {
        const Real up = gradient.sum_of_results({&tensor, i, kStep});
        const Real down = gradient.sum_of_results({&tensor, i, -kStep});
        ASSERT_NEAR(static_cast<double>((up - down) / (2 * kStep)),
                    static_cast<double>(want[static_cast<std::size_t>(i)]), 1e-8);
      }
    };
    expect_derivative(gradient.query, gradient.want_dq);
    expect_derivative(gradient.key, gradient.want_dk);
    expect_derivative(gradient.value, gradient.want_dv);
    expect_derivative(gradient.sink, gradient.want_dsink);
  }
  aclrtResetDeviceForce(0);
  aclFinalize();
}

TEST_F(AttentionGradients, InEveryLayout) {
  for (const char* layout : {"BNSD", "BSND", "BSH", "SBH", "TND"}) {
    for (const int version : {1, 2}) {
      AttentionGradientCase c;
      c.layout = layout;
      c.version = version;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, InEveryDtype) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const char* layout : {"BSND", "TND"}) {
      AttentionGradientCase c;
      c.layout = layout;
      c.type = type;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, OfAnyNumberOfColumns) {
  const std::pair<std::int64_t, std::int64_t> columns[] = {{5, 3}, {8, 24}, {64, 64}, {128, 40}, {192, 128}, {512, 8}};
  for (const auto& [own, of_values] : columns) {
    for (const char* layout : {"BNSD", "BSH"}) {
      AttentionGradientCase c;
      c.layout = layout;
      c.sizes = {1, 2, 1, 5, 11, own};
      c.value_columns = of_values;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, OfHeadsThatShareKeys) {
  for (const std::int64_t key_heads : {1, 2, 3, 6}) {
    AttentionGradientCase c;
    c.sizes = {2, 6, key_heads, 7, 13, 16};
    check(c);
  }
}

TEST_F(AttentionGradients, InEverySparseMode) {
  for (const std::int64_t mode : {0, 1, 2, 3, 4, 5, 6}) {
    for (const char* layout : {"BNSD", "TND"}) {
      for (const std::int64_t queries : {9, 41}) {  // some then see nothing
        AttentionGradientCase c;
        c.layout = layout;
        c.sizes.queries = queries;
        c.mode = mode;
        c.masked = mode < 2;
        if (mode == 0 || mode == 4) {
          c.before = 5;
          c.after = 3;
        }
        if (mode > 4) c.prefix = {20, 3};
        check(c);
      }
    }
  }
}

TEST_F(AttentionGradients, WhereTheFirstOrLastSequenceHasAWindow) {
  for (const std::int64_t mode : {7, 8}) {
    AttentionGradientCase c;
    c.layout = "TND";
    c.sizes = {3, 2, 1, 20, 40, 16};
    c.mode = mode;
    c.before = 9;
    c.after = -2;
    check(c);
  }
}

TEST_F(AttentionGradients, WithShiftsAndSlopes) {
  for (const int kind : {0, 1, 2, 3}) {
    AttentionGradientCase c;
    c.shift_kind = kind;
    check(c);
    c.type = ACL_FLOAT16;
    check(c);
  }
  AttentionGradientCase first;
  first.version = 1;
  first.shift_kind = 1;
  check(first);
}

TEST_F(AttentionGradients, WithShiftsOfTheLastRows) {
  struct Kind {
    std::int64_t mode;
    const char* layout;
    std::int64_t sequences, heads, columns;
  };
  for (const Kind& kind : {Kind{0, "BNSD", 1, 1, 8}, Kind{2, "TND", 1, 1, 2}, Kind{3, "BNSD", 1, 1, 2},
                           Kind{2, "BSND", 1, 2, 2}, Kind{3, "BSH", 1, 2, 2}, Kind{0, "SBH", 2, 1, 2}}) {
    AttentionGradientCase c;
    c.layout = kind.layout;
    c.sizes = {kind.sequences, kind.heads, 1, 1031, 1031, kind.columns};
    c.value_columns = kind.columns;
    c.mode = kind.mode;
    c.masked = kind.mode == 0;
    c.shift_kind = 1;
    c.last_rows = true;
    check(c);
  }
}

TEST_F(AttentionGradients, WhereWeightsAreDropped) {
  for (const char* layout : {"BNSD", "TND"}) {
    AttentionGradientCase c;
    c.layout = layout;
    c.kept = 0.75;
    check(c);
    c.mode = 1;
    c.masked = true;
    check(c);
  }
}

TEST_F(AttentionGradients, OfSequencesThatFollowEachOther) {
  for (const int version : {1, 2, 3, 4}) {
    for (const std::int64_t columns : {16, 13}) {
      AttentionGradientCase c;
      c.layout = "TND";
      c.version = version;
      c.sizes = {4, 4, 2, 9, 37, columns};
      c.queries = {9, 0, 7, 2};
      c.keys = {37, 3, 21, 0};
      c.zeros = 2;
      c.beyond = 5;
      check(c);
      c.kept = 0.5;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, OfSinks) {
  for (const char* layout : {"BNSD", "BSH", "SBH"}) {
    AttentionGradientCase c;
    c.layout = layout;
    c.version = 3;
    c.sinks = true;
    check(c);
  }
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    AttentionGradientCase c;
    c.version = 3;
    c.type = c.sink_type = type;
    c.sinks = true;
    c.kept = 0.75;
    check(c);
  }
  AttentionGradientCase blind;  // the window leaves keys to the last queries alone
  blind.version = 3;
  blind.sinks = true;
  blind.sizes.queries = 41;
  blind.mode = 3;
  check(blind);
  AttentionGradientCase empty;
  empty.version = 3;
  empty.sinks = true;
  empty.sizes = {2, 2, 1, 5, 0, 8};
  empty.value_columns = 8;
  check(empty);
}

// Sinks may be left out, and their gradient then is not written.
TEST_F(AttentionGradients, OfTheThirdVersionWithoutSinks) {
  AttentionGradientCase c;
  c.version = 3;
  c.shift_kind = 2;
  check(c);
}

TEST_F(AttentionGradients, InOneOperatorForAllLayouts) {
  for (const char* layout : {"BNSD", "BSND", "TND"}) {
    AttentionGradientCase c;
    c.layout = layout;
    c.version = c.packed() ? 5 : 4;
    c.ropes = true;
    c.sinks = true;
    check(c);
  }
  AttentionGradientCase packed;
  packed.layout = "TND";
  packed.version = 5;
  packed.sizes = {4, 4, 2, 9, 37, 13};
  packed.queries = {9, 0, 7, 2};
  packed.keys = {37, 3, 21, 0};
  packed.zeros = 2;
  packed.beyond = 5;
  packed.kept = 0.5;
  packed.sinks = true;
  check(packed);
}

TEST_F(AttentionGradients, OfARowWithoutASumHaveNoSink) {
  AttentionGradientCase c;
  c.version = 3;
  c.sinks = true;
  c.sizes = {1, 1, 1, 1, 3, 8};
  c.value_columns = 8;
  Gradient gradient(c);
  gradient.top.fill([](std::int64_t) -> Number { return -std::numeric_limits<float>::max(); });
  gradient.sum.fill([](std::int64_t) -> Number { return 0; });
  const auto bytes = run([&](auto* size, auto** executor) { return gradient.plan(size, executor); }, gradient.launch(),
                         gradient.others(), gradient.dsink);
  expect_numbers(gradient.dsink, bytes, Numbers(1), "dsink");
}

TEST_F(AttentionGradients, OfMoreSequencesThanAKernelTakes) {
  AttentionGradientCase c;
  c.layout = "TND";
  c.sizes = {37, 2, 1, 3, 5, 8};
  c.value_columns = 8;
  check(c);
}

TEST_F(AttentionGradients, OfMoreKeysAndQueriesThanALoopHasIterations) {
  AttentionGradientCase c;
  c.sizes = {1, 1, 1, 1, 65557, 8};
  c.value_columns = 8;
  check(c);
  c.sizes = {1, 2, 1, 32789, 2, 8};  // of two heads
  check(c);
  c.type = ACL_FLOAT16;
  check(c);
}

TEST_F(AttentionGradients, OfSequencesOfWhichOneIsLong) {
  AttentionGradientCase c;
  c.layout = "TND";
  c.value_columns = 8;
  c.mode = 3;
  c.sizes = {3, 1, 1, 3, 65557, 8};
  c.queries = {3, 1, 2};
  c.keys = {37, 65557, 21};
  check(c);
  c.sizes = {3, 2, 1, 32789, 9, 8};
  c.queries = {3, 32789, 2};
  c.keys = {7, 4, 9};
  check(c);
}

TEST_F(AttentionGradients, OfMoreHeadsThanALoopHasIterations) {
  AttentionGradientCase c;
  c.sizes = {1, 20011, 1, 1, 2, 8};
  c.value_columns = 8;
  check(c);
}

TEST_F(AttentionGradients, OfNothingAreZero) {
  for (const Sizes& sizes : {Sizes{2, 2, 1, 0, 5, 8}, Sizes{2, 2, 1, 5, 0, 8}, Sizes{0, 2, 1, 5, 5, 8}}) {
    AttentionGradientCase c;
    c.sizes = sizes;
    c.value_columns = 8;
    check(c);
  }
}

TEST_F(AttentionGradients, LeaveOutWhatIsHiddenWhateverItIs) {
  AttentionGradientCase c;
  c.sizes = {1, 1, 1, 3, 8, 8};
  c.value_columns = 8;
  c.mode = 2;
  Gradient gradient(c);
  const auto spoil = [](OpTensor& tensor) {
    Numbers numbers;
    for (std::int64_t i = 0; i < tensor.count(); ++i) numbers.push_back(tensor.before(i).real());
    tensor.fill([&](std::int64_t i) -> Number {  // keys after the last query
      return i < 3 * 8 ? numbers[static_cast<std::size_t>(i)] : std::numeric_limits<Real>::quiet_NaN();
    });
  };
  spoil(gradient.key);
  spoil(gradient.value);
  const auto bytes = run([&](auto* size, auto** executor) { return gradient.plan(size, executor); }, gradient.launch(),
                         gradient.others(), gradient.dq);
  expect_numbers(gradient.dq, bytes, gradient.want_dq, "dq");
  expect_numbers(gradient.dk, gradient.dk.download(), gradient.want_dk, "dk");
  expect_numbers(gradient.dv, gradient.dv.download(), gradient.want_dv, "dv");
}

// What the forward operator leaves is what the gradient expects.
TEST_F(AttentionGradients, TakeWhatTheForwardPassLeaves) {
  for (const char* layout : {"BSND", "TND"}) {
    AttentionGradientCase c;
    c.layout = layout;
    c.mode = 3;
    Gradient gradient(c);
    gradient.top.fill([](std::int64_t) { return Number(7); });
    gradient.sum.fill([](std::int64_t) { return Number(7); });
    gradient.y.fill([](std::int64_t) { return Number(7); });
    for (const OpTensor* tensor : gradient.others()) tensor->upload();
    gradient.dq.upload();
    std::string name = layout;
    const OpInts query_ends({9, 18});
    const OpInts key_ends({37, 74});
    enqueue(
        [&](auto* size, auto** executor) {
          if (c.packed()) {
            return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
                gradient.query.get(), gradient.key.get(), gradient.value.get(), nullptr, nullptr, nullptr, nullptr,
                nullptr, query_ends.get(), key_ends.get(), 0.5, 1, 65536, 65536, 4, name.data(), 0, 3,
                gradient.top.get(), gradient.sum.get(), nullptr, gradient.y.get(), size, executor);
          }
          return aclnnFlashAttentionScoreGetWorkspaceSize(
              gradient.query.get(), gradient.key.get(), gradient.value.get(), nullptr, nullptr, nullptr, nullptr,
              nullptr, 0.5, 1, 65536, 65536, 4, name.data(), 0, 3, gradient.top.get(), gradient.sum.get(), nullptr,
              gradient.y.get(), size, executor);
        },
        c.packed() ? aclnnFlashAttentionVarLenScore : aclnnFlashAttentionScore);
    enqueue([&](auto* size, auto** executor) { return gradient.plan(size, executor); }, gradient.launch());
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    expect_numbers(gradient.dq, gradient.dq.download(), gradient.want_dq, "dq");
    expect_numbers(gradient.dk, gradient.dk.download(), gradient.want_dk, "dk");
    expect_numbers(gradient.dv, gradient.dv.download(), gradient.want_dv, "dv");
  }
}

TEST_F(AttentionGradients, RefuseOthers) {
  const OpTensor x(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor halves(ACL_FLOAT16, {1, 2, 4, 16});
  const OpTensor rows(ACL_FLOAT, {1, 2, 4, 8});
  const OpTensor few(ACL_FLOAT, {1, 2, 4, 1});
  const OpTensor dq(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor dk(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor dv(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor narrow(ACL_FLOAT, {1, 2, 4, 8});
  char layout[] = "BNSD";
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* dy, const OpTensor* top, const OpTensor* y, const OpTensor* of_query,
                        const OpTensor* of_key, double kept, std::int64_t mode) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnFlashAttentionScoreGradGetWorkspaceSize(
        x.get(), x.get(), x.get(), handle(dy), nullptr, nullptr, nullptr, nullptr, handle(top), rows.get(), nullptr,
        handle(y), nullptr, 1, kept, 65536, 65536, 2, layout, 0, mode, handle(of_query), handle(of_key), dv.get(),
        nullptr, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, &rows, &x, &dq, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, nullptr, &x, &dq, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, &rows, nullptr, &dq, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, &rows, &x, nullptr, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, nullptr, 1, 0), 161001);
  EXPECT_EQ(plan(&halves, &rows, &x, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&narrow, &rows, &x, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &few, &x, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &narrow, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &halves, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &halves, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &narrow, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &x, &dk, 1, 0), 161002);   // in the memory of the query
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dq, 1, 0), 161002);  // two gradients in one
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dk, 0.5, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dk, 1, 1), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dk, 1, 9), 161002);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(AttentionGradients, RefuseWhatTheNewestVersionAddsWhereItDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor small(ACL_FLOAT8_E5M2, {1, 2, 4, 16});
  const OpTensor rows(ACL_FLOAT, {1, 2, 4, 8});
  const OpTensor sink(ACL_FLOAT, {2});
  const OpTensor halves(ACL_FLOAT16, {2});
  const OpTensor dsink(ACL_FLOAT, {2});
  const OpTensor three(ACL_FLOAT, {3});
  const OpTensor dq(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor dk(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor dv(ACL_FLOAT, {1, 2, 4, 16});
  const OpInts ends({4});
  char layout[] = "BNSD";
  char same[] = "same_as_input";
  char other[] = "TND";
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& query, const OpTensor* sinks, const OpTensor* scale, const OpInts* lengths,
                        char* statistics, const OpTensor* of_sinks, double kept = 1) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnFlashAttentionScoreGradV4GetWorkspaceSize(
        query.get(), query.get(), query.get(), query.get(), nullptr, nullptr, nullptr, nullptr, rows.get(), rows.get(),
        nullptr, query.get(), handle(sinks), nullptr, nullptr, handle(scale), nullptr, nullptr, nullptr, nullptr,
        nullptr, lengths ? lengths->get() : nullptr, nullptr, nullptr, nullptr, 1, kept, 65536, 65536, 2, layout,
        statistics, 0, 0, 1, 2, 0, 0, dq.get(), dk.get(), dv.get(), nullptr, nullptr, nullptr, handle(of_sinks), &size,
        &executor);
  };
  EXPECT_EQ(plan(x, &sink, nullptr, nullptr, same, nullptr), 161001);
  EXPECT_EQ(plan(small, nullptr, &sink, nullptr, same, nullptr), 207000);
  EXPECT_EQ(plan(x, nullptr, &sink, nullptr, same, nullptr), 161002);
  EXPECT_EQ(plan(x, &three, nullptr, nullptr, same, &three), 161002);
  EXPECT_EQ(plan(x, &sink, nullptr, nullptr, same, &three), 161002);
  EXPECT_EQ(plan(x, &sink, nullptr, nullptr, same, &halves), 161002);
  EXPECT_EQ(plan(x, &sink, nullptr, nullptr, same, &sink), 161002);  // the gradient in the memory of the sinks
  EXPECT_EQ(plan(x, nullptr, nullptr, &ends, same, nullptr), 161002);
  EXPECT_EQ(plan(x, nullptr, nullptr, nullptr, other, nullptr), 161002);
  EXPECT_EQ(plan(x, nullptr, nullptr, nullptr, same, nullptr, 0.5), 161002) << "a seed makes no mask";
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(plan(x, &sink, nullptr, nullptr, same, &dsink), 0);
  aclDestroyAclOpExecutor(executor);
}

}  // namespace
}  // namespace aclvk::test
