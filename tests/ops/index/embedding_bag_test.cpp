#include "aclnnop/aclnn_embedding_bag.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr std::int64_t kSum = 0;
constexpr std::int64_t kMean = 1;
constexpr std::int64_t kMost = 2;

struct Attributes {
  std::int64_t mode = kSum;
  bool has_end = false;
  std::int64_t padding = -1;
  bool weighted = false;
  aclDataType result = ACL_INT64;  ///< of the numbers that come out
};

struct Views {
  View weight{};
  View indices{};
  View offsets{};
  View samples{};
  View output{};
  View numbers{};  ///< of the numbers that come out, but for the rows of a maximum
};

/// The tensors of a call.
struct Call {
  OpTensor weight;
  OpTensor indices;
  OpTensor offsets;
  OpTensor samples;
  OpTensor output;
  OpTensor offset2bag;
  OpTensor bag_size;
  OpTensor max_indices;

  Call(aclDataType type, aclDataType index, const Shape& matrix, std::int64_t count, std::int64_t offset_count,
       const Attributes& how, const Views& views)
      : weight(type, matrix, views.weight),
        indices(index, {count}, views.indices),
        offsets(index, {offset_count}, views.offsets),
        samples(type, {count}, views.samples),
        output(type, {offset_count - (how.has_end ? 1 : 0), matrix[1]}, views.output),
        offset2bag(how.result, {count}, views.numbers),
        bag_size(how.result, {output.shape()[0]}, views.numbers),
        max_indices(how.result, how.mode == kMost ? output.shape() : bag_size.shape(),
                    how.mode == kMost ? View{} : views.numbers) {
    weight.fill_random(3);
    samples.fill_random(5);
  }
};

/// What comes out, on the host.
struct Expected {
  std::vector<Number> output;
  std::vector<Number> offset2bag;
  std::vector<Number> bag_size;
  std::vector<Number> max_indices;

  Expected(const Call& call, const Attributes& how) {
    const std::int64_t bags = call.output.shape()[0];
    const std::int64_t columns = call.output.shape()[1];
    offset2bag.resize(static_cast<std::size_t>(call.indices.count()));
    for (std::int64_t bag = 0; bag < bags; ++bag) {
      const auto begin = static_cast<std::int64_t>(call.offsets.before(bag).real());
      const bool is_last = bag + 1 == call.offsets.count();
      const auto end = is_last ? call.indices.count() : static_cast<std::int64_t>(call.offsets.before(bag + 1).real());
      for (std::int64_t i = begin; i < end; ++i) offset2bag[static_cast<std::size_t>(i)] = Real(bag);
      for (std::int64_t k = 0; k < columns; ++k) add_element(call, how, begin, end, k);
      bag_size.emplace_back(counted(call, how, begin, end));
      if (how.mode != kMost) max_indices.emplace_back(0);
    }
  }

  static Real counted(const Call& call, const Attributes& how, std::int64_t begin, std::int64_t end) {
    Real count = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const bool pads = how.padding >= 0 && call.indices.before(i) == Number(Real(how.padding));
      count += pads ? 0 : 1;
    }
    return count;
  }

  void add_element(const Call& call, const Attributes& how, std::int64_t begin, std::int64_t end, std::int64_t column) {
    Real sum = 0;
    Real most = 0;
    std::int64_t row_of_most = -1;
    for (std::int64_t i = begin; i < end; ++i) {
      const auto row = static_cast<std::int64_t>(call.indices.before(i).real());
      if (row == how.padding || row < 0 || row >= call.weight.shape()[0]) continue;
      const Real x = call.weight.before(row * call.output.shape()[1] + column).real();
      sum += how.weighted ? x * call.samples.before(i).real() : x;
      if (row_of_most < 0 || x > most) {
        most = x;
        row_of_most = row;
      }
    }
    if (how.mode == kMean) sum /= std::max<Real>(counted(call, how, begin, end), 1);
    output.push_back(rounded(how.mode == kMost ? most : sum, call.output.type()));
    if (how.mode == kMost) max_indices.emplace_back(Real(row_of_most));
  }
};

class EmbeddingBag : public OpTest {
 protected:
  static Plan plan_of(const Call& call, const Attributes& how) {
    return [&call, how](auto* n, auto** e) {
      return aclnnEmbeddingBagGetWorkspaceSize(call.weight.get(), call.indices.get(), call.offsets.get(), false,
                                               how.mode, false, how.weighted ? call.samples.get() : nullptr,
                                               how.has_end, how.padding, call.output.get(), call.offset2bag.get(),
                                               call.bag_size.get(), call.max_indices.get(), n, e);
    };
  }

  static void check(const Call& call, const Attributes& how) {
    SCOPED_TRACE("mode " + std::to_string(how.mode) + ", padding " + std::to_string(how.padding) + ", dtypes " +
                 std::to_string(call.weight.type()) + " and " + std::to_string(call.indices.type()));
    const Expected expected(call, how);
    const auto check_one = [&](const OpTensor& out, const std::vector<Number>& numbers, bool exact) {
      std::vector<const OpTensor*> others{&call.weight, &call.indices, &call.offsets};
      if (how.weighted) others.push_back(&call.samples);
      for (const OpTensor* other : {&call.output, &call.offset2bag, &call.bag_size, &call.max_indices}) {
        if (other != &out) others.push_back(other);
      }
      const auto bytes = run(plan_of(call, how), aclnnEmbeddingBag, others, out);
      expect_elements(
          out, bytes, [&](std::int64_t i) { return numbers[static_cast<std::size_t>(i)]; }, exact);
    };
    check_one(call.output, expected.output, how.mode == kMost);
    check_one(call.offset2bag, expected.offset2bag, true);
    check_one(call.bag_size, expected.bag_size, true);
    check_one(call.max_indices, expected.max_indices, true);
  }

  /// Indices that look random; bags begin at `offsets`.
  static void check_bags(aclDataType type, aclDataType index, const Shape& matrix, std::int64_t count,
                         const Shape& offsets, const Attributes& how, const Views& views = {}) {
    Call call(type, index, matrix, count, static_cast<std::int64_t>(offsets.size()), how, views);
    call.indices.fill([&](std::int64_t i) { return Real((i * i + 3 * i / 2) % std::max<std::int64_t>(matrix[0], 1)); });
    call.offsets.fill([&](std::int64_t i) { return Real(offsets[static_cast<std::size_t>(i)]); });
    check(call, how);
  }
};

TEST_F(EmbeddingBag, AddsAveragesAndComparesRows) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const std::int64_t mode : {kSum, kMean, kMost}) {
      check_bags(type, ACL_INT64, {11, 7}, 23, {0, 4, 5, 17}, {mode});
      check_bags(type, ACL_INT32, {11, 7}, 23, {0, 4, 5, 17}, {mode, false, -1, false, ACL_INT32});
    }
  }
  check_bags(ACL_FLOAT, ACL_INT64, {5, 1}, 13, {0, 2, 3, 5, 8, 9}, {kSum});
  check_bags(ACL_FLOAT, ACL_INT64, {1, 64}, 1, {0}, {kMost});
}

TEST_F(EmbeddingBag, BagsMayBeEmptyAndHaveAnEnd) {
  for (const std::int64_t mode : {kSum, kMean, kMost}) {
    check_bags(ACL_FLOAT, ACL_INT64, {11, 7}, 9, {0, 0, 4, 4, 9}, {mode});
    check_bags(ACL_FLOAT, ACL_INT64, {11, 7}, 9, {0, 0, 4, 4, 9}, {mode, true});
    check_bags(ACL_FLOAT, ACL_INT32, {11, 7}, 9, {0, 9}, {mode, true});
  }
}

TEST_F(EmbeddingBag, PaddingCountsForNothing) {
  for (const std::int64_t mode : {kSum, kMean, kMost}) {
    check_bags(ACL_FLOAT, ACL_INT64, {3, 5}, 19, {0, 1, 2, 9}, {mode, false, 0});
    check_bags(ACL_FLOAT16, ACL_INT32, {3, 5}, 19, {0, 1, 2, 9}, {mode, false, 2});
    check_bags(ACL_FLOAT, ACL_INT64, {1, 5}, 4, {0, 2}, {mode, false, 0});
    check_bags(ACL_FLOAT, ACL_INT64, {3, 5}, 19, {0, 7}, {mode, false, 3});
  }
}

TEST_F(EmbeddingBag, RowsHaveWeights) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    check_bags(type, ACL_INT64, {11, 7}, 23, {0, 4, 5, 17}, {kSum, false, 1, true});
  }
}

TEST_F(EmbeddingBag, TensorsMayBeAnyView) {
  const Views views{{{1, 13}, 3}, {{2}, 1}, {{3}, 2}, {{2}, 5}, {{1, 6}, 2}, {{2}, 3}};
  for (const std::int64_t mode : {kSum, kMean, kMost}) {
    check_bags(ACL_FLOAT, ACL_INT64, {11, 7}, 23, {0, 4, 5, 17}, {mode, false, 1, mode == kSum}, views);
    check_bags(ACL_FLOAT16, ACL_INT32, {11, 7}, 23, {0, 4, 5, 17}, {mode, false, 1}, views);
  }
  check_bags(ACL_FLOAT, ACL_INT64, {4, 7}, 9, {0, 4}, {kMean}, {{{0, 1}, 1}, {{0}, 0}, {}, {}, {}, {}});
}

TEST_F(EmbeddingBag, AFirstRowThatIsNotANumberStaysTheGreatest) {
  Call call(ACL_FLOAT, ACL_INT64, {3, 2}, 5, 2, {kMost}, {});
  call.weight.fill([](std::int64_t i) { return i < 2 ? std::numeric_limits<Real>::quiet_NaN() : Real(i); });
  call.indices.fill([](std::int64_t i) { return Real(i == 1 ? 2 : i % 2); });  // 0 2 0 | 1 0
  call.offsets.fill([](std::int64_t i) { return Real(3 * i); });
  check(call, {kMost});
}

TEST_F(EmbeddingBag, LeavesOutWhatIsNoRow) {
  for (const std::int64_t mode : {kSum, kMean, kMost}) {
    Call call(ACL_FLOAT, ACL_INT64, {3, 5}, 6, 2, {mode}, {});
    call.indices.fill([](std::int64_t i) { return i == 5 ? Real(std::int64_t{1} << 40) : Real(i - 1); });  // -1 to 3
    call.offsets.fill([](std::int64_t i) { return Real(4 * i); });
    check(call, {mode});
  }
}

TEST_F(EmbeddingBag, OfNothing) {
  for (const std::int64_t mode : {kSum, kMean, kMost}) {
    check_bags(ACL_FLOAT, ACL_INT64, {3, 5}, 0, {0, 0}, {mode});
    check_bags(ACL_FLOAT, ACL_INT64, {3, 5}, 0, {}, {mode});
    check_bags(ACL_FLOAT, ACL_INT64, {3, 5}, 0, {0}, {mode, true});
    check_bags(ACL_FLOAT, ACL_INT64, {0, 5}, 3, {0, 2}, {mode});
    check_bags(ACL_FLOAT, ACL_INT64, {3, 0}, 3, {0, 2}, {mode});
  }
}

TEST_F(EmbeddingBag, GoesThroughMoreIndicesThanALoopHasIterations) {
  check_bags(ACL_FLOAT, ACL_INT64, {11, 2}, 70001, {0, 69990}, {kSum, false, 5, true});
  for (const std::int64_t mode : {kMean, kMost}) {
    check_bags(ACL_FLOAT, ACL_INT32, {101, 1}, 1000001, {0, 3}, {mode, false, 5});
  }
}

TEST_F(EmbeddingBag, NumbersThatAreNotRequestedAreEmpty) {
  for (const std::int64_t mode : {kSum, kMean, kMost}) {
    Call call(ACL_FLOAT, ACL_INT64, {11, 7}, 23, 3, {mode}, {});
    call.indices.fill([](std::int64_t i) { return Real(i * i % 11); });
    call.offsets.fill([](std::int64_t i) { return Real(5 * i); });
    const OpTensor none(ACL_INT64, {0});
    const Expected expected(call, {mode});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnEmbeddingBagGetWorkspaceSize(call.weight.get(), call.indices.get(), call.offsets.get(), true,
                                                   mode, true, nullptr, false, -1, call.output.get(), none.get(),
                                                   none.get(), none.get(), n, e);
        },
        aclnnEmbeddingBag, {&call.weight, &call.indices, &call.offsets, &none}, call.output);
    expect_elements(
        call.output, bytes, [&](std::int64_t i) { return expected.output[static_cast<std::size_t>(i)]; }, false);
  }
}

TEST_F(EmbeddingBag, RefusesOthers) {
  const Call call(ACL_FLOAT, ACL_INT64, {3, 5}, 7, 2, {kSum}, {});
  const OpTensor half(ACL_FLOAT16, {2, 5});
  const OpTensor wide(ACL_DOUBLE, {3, 5});
  const OpTensor vector(ACL_FLOAT, {3});
  const OpTensor rows(ACL_INT64, {2, 5});
  const OpTensor three(ACL_INT64, {3});
  const OpTensor none(ACL_INT64, {0});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const std::function<void(std::vector<const OpTensor*>&)>& change, std::int64_t mode = kSum,
                        bool end = false) {
    std::vector<const OpTensor*> t{&call.weight, &call.indices,    &call.offsets,  nullptr,
                                   &call.output, &call.offset2bag, &call.bag_size, &call.max_indices};
    change(t);
    const auto of = [&](std::size_t i) { return t[i] ? t[i]->get() : nullptr; };
    return aclnnEmbeddingBagGetWorkspaceSize(of(0), of(1), of(2), false, mode, false, of(3), end, -1, of(4), of(5),
                                             of(6), of(7), &size, &executor);
  };
  for (const std::size_t i : {0, 1, 2, 4, 5, 6, 7}) {
    EXPECT_EQ(plan([&](auto& t) { t[i] = nullptr; }), 161001) << "tensor " << i;
  }
  EXPECT_EQ(plan([&](auto& t) { t[0] = &wide; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[1] = &vector; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[4] = &half; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[0] = &vector; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[2] = &rows; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[2] = &three; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[2] = &none; }, kSum, true), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[3] = &vector; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[3] = &call.samples; }, kMean), 161002) << "a mean has no weights";
  EXPECT_EQ(plan([&](auto& t) { t[5] = &three; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[6] = &three; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[7] = &three; }), 161002);
  EXPECT_EQ(plan([&](auto& t) { t[5] = &call.indices; }), 161002) << "indices are read when results are written";
  EXPECT_EQ(plan([](auto&) {}, kMost), 161002) << "maxIndices has the shape of output where mode is 2";
  EXPECT_EQ(plan([&](auto& t) { t[7] = &rows; }, kMost), 0) << aclGetRecentErrMsg();
}

}  // namespace
}  // namespace aclvk::test
