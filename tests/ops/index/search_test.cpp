#include "aclnnop/aclnn_bucketize.h"
#include "aclnnop/aclnn_isin.h"
#include "aclnnop/aclnn_isin_tensor_scalar.h"
#include "aclnnop/aclnn_searchsorted.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class Searches : public OpTest {
 protected:
  static void check(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& inputs, const OpTensor& out,
                    const std::function<Number(std::int64_t)>& expected) {
    SCOPED_TRACE("dtype " + std::to_string(inputs[0]->type()));
    expect_elements(out, run(plan, launch, inputs, out), expected, true);
  }
  /// The number of elements of a row that come before a value.
  static Number position(const OpTensor& sorted, std::int64_t first, std::int64_t count, Number value, bool right) {
    std::int64_t place = 0;
    while (place < count) {
      const Real x = sorted.before(first + place).real();
      if (right ? x > value.real() : x >= value.real()) break;
      ++place;
    }
    return Real(place);
  }
};

TEST_F(Searches, FindPlacesInRows) {
  for (const aclDataType type :
       {ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT16, ACL_UINT8, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    for (const bool right : {false, true}) {
      for (const bool narrow : {false, true}) {
        OpTensor sorted(type, {3, 11}, {{13, 1}, 1});
        OpTensor values(type, {3, 7}, {{1, 3}, 0});
        sorted.fill([](std::int64_t i) { return Real(i % 11 / 2 * 3 + i / 11); });
        values.fill([](std::int64_t i) { return Real(i * 5 % 19); });
        const OpTensor out(narrow ? ACL_INT32 : ACL_INT64, {3, 7});
        check(
            [&](auto* n, auto** e) {
              return aclnnSearchSortedGetWorkspaceSize(sorted.get(), values.get(), narrow, right, nullptr, out.get(), n,
                                                       e);
            },
            aclnnSearchSorted, {&sorted, &values}, out,
            [&](std::int64_t i) { return position(sorted, i / 7 * 11, 11, values.before(i), right); });
      }
    }
  }
}

TEST_F(Searches, FollowASorter) {
  OpTensor mixed(ACL_FLOAT, {5});
  OpTensor sorter(ACL_INT64, {5});
  OpTensor values(ACL_FLOAT, {2, 4});
  const Real x[] = {9, 1, 5, 3, 7};
  const Real order[] = {1, 3, 2, 4, 0};
  mixed.fill([&](std::int64_t i) { return x[i]; });
  sorter.fill([&](std::int64_t i) { return order[i]; });
  values.fill([](std::int64_t i) { return Real(i) * 1.5L; });
  const OpTensor out(ACL_INT64, {2, 4});
  check(
      [&](auto* n, auto** e) {
        return aclnnSearchSortedGetWorkspaceSize(mixed.get(), values.get(), false, false, sorter.get(), out.get(), n,
                                                 e);
      },
      aclnnSearchSorted, {&mixed, &sorter, &values}, out,
      [&](std::int64_t i) {
        Real place = 0;
        for (const Real element : x) place += element < values.before(i).real();
        return place;
      });
}

TEST_F(Searches, FindAScalarAndNothing) {
  OpTensor sorted(ACL_INT32, {6});
  sorted.fill([](std::int64_t i) { return Real(2 * i); });
  for (const bool right : {false, true}) {
    const OpScalar four(ACL_INT64, 4);
    const OpTensor out(ACL_INT32, {});
    check(
        [&](auto* n, auto** e) {
          return aclnnSearchSortedsGetWorkspaceSize(sorted.get(), four.get(), true, right, nullptr, out.get(), n, e);
        },
        aclnnSearchSorteds, {&sorted}, out, [&](auto) { return Number(right ? 3 : 2); });
  }
  const OpTensor empty(ACL_FLOAT, {0});
  OpTensor values(ACL_FLOAT, {3});
  values.fill_random(1);
  const OpTensor out(ACL_INT64, {3});
  check(
      [&](auto* n, auto** e) {
        return aclnnBucketizeGetWorkspaceSize(values.get(), empty.get(), false, false, out.get(), n, e);
      },
      aclnnBucketize, {&values}, out, [](auto) { return Number(0); });
}

TEST_F(Searches, SortIntoBuckets) {
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8}) {
    for (const bool right : {false, true}) {
      OpTensor boundaries(type, {5});
      OpTensor self(type, {4, 7});
      boundaries.fill([](std::int64_t i) { return Real(3 * i + 1); });
      self.fill([](std::int64_t i) { return Real(i % 17); });
      const OpTensor out(ACL_INT64, {4, 7});
      check(
          [&](auto* n, auto** e) {
            return aclnnBucketizeGetWorkspaceSize(self.get(), boundaries.get(), false, right, out.get(), n, e);
          },
          aclnnBucketize, {&self, &boundaries}, out,
          [&](std::int64_t i) { return position(boundaries, 0, 5, self.before(i), right); });
    }
  }
}

TEST_F(Searches, PutNanAfterAllNumbers) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real inf = std::numeric_limits<Real>::infinity();
  OpTensor sorted(ACL_FLOAT, {4});
  OpTensor values(ACL_FLOAT, {3});
  const Real x[] = {-inf, 1, inf, nan};
  const Real y[] = {nan, inf, -inf};
  sorted.fill([&](std::int64_t i) { return x[i]; });
  values.fill([&](std::int64_t i) { return y[i]; });
  const OpTensor out(ACL_INT64, {3});
  const Real expected[] = {3, 2, 0};
  check(
      [&](auto* n, auto** e) {
        return aclnnSearchSortedGetWorkspaceSize(sorted.get(), values.get(), false, false, nullptr, out.get(), n, e);
      },
      aclnnSearchSorted, {&sorted, &values}, out, [&](std::int64_t i) { return expected[i]; });
}

TEST_F(Searches, CompareWithAScalar) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16, ACL_INT8, ACL_INT16, ACL_INT32,
                                 ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_BOOL, ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (const bool invert : {false, true}) {
      OpTensor tensor(type, {5, 7}, {{1, 6}, 1});
      tensor.fill([&](std::int64_t i) { return type == ACL_BOOL ? Real(i % 2) : Real(i % 4); });
      const OpTensor each(ACL_BOOL, {5, 7});
      const OpTensor any(ACL_BOOL, {});
      for (const Real wanted : {Real{1}, Real{9}}) {
        if (type == ACL_BOOL && wanted > 1) continue;
        const OpScalar scalar(type == ACL_BOOL || type == ACL_UINT16 ? type : ACL_INT32, wanted);
        check(
            [&](auto* n, auto** e) {
              return aclnnIsInTensorScalarGetWorkspaceSize(tensor.get(), scalar.get(), false, invert, each.get(), n, e);
            },
            aclnnIsInTensorScalar, {&tensor}, each,
            [&](std::int64_t i) { return Real((tensor.before(i) == Number(wanted)) != invert); });
        check(
            [&](auto* n, auto** e) {
              return aclnnIsInScalarTensorGetWorkspaceSize(scalar.get(), tensor.get(), false, invert, any.get(), n, e);
            },
            aclnnIsInScalarTensor, {&tensor}, any, [&](auto) { return Real((wanted == 1) != invert); });
      }
    }
  }
}

TEST_F(Searches, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor sorted(ACL_FLOAT, {3, 5});
  const OpTensor values(ACL_FLOAT, {2, 4});
  const OpTensor out(ACL_INT64, {2, 4});
  const OpTensor vector(ACL_FLOAT, {5});
  const OpTensor complex(ACL_COMPLEX64, {5});
  EXPECT_EQ(
      aclnnSearchSortedGetWorkspaceSize(nullptr, values.get(), false, false, nullptr, out.get(), &size, &executor),
      161001);
  EXPECT_EQ(
      aclnnSearchSortedGetWorkspaceSize(sorted.get(), values.get(), false, false, nullptr, out.get(), &size, &executor),
      161002);
  EXPECT_EQ(
      aclnnSearchSortedGetWorkspaceSize(vector.get(), values.get(), true, false, nullptr, out.get(), &size, &executor),
      161002);
  EXPECT_EQ(aclnnSearchSortedGetWorkspaceSize(complex.get(), values.get(), false, false, nullptr, out.get(), &size,
                                              &executor),
            161002);
  EXPECT_EQ(aclnnBucketizeGetWorkspaceSize(values.get(), sorted.get(), false, false, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnBucketizeGetWorkspaceSize(values.get(), vector.get(), false, false, nullptr, &size, &executor),
            161001);
  const OpScalar scalar(ACL_FLOAT, 1);
  EXPECT_EQ(
      aclnnIsInTensorScalarGetWorkspaceSize(values.get(), scalar.get(), false, false, out.get(), &size, &executor),
      161002);
  EXPECT_EQ(aclnnIsInScalarTensorGetWorkspaceSize(nullptr, values.get(), false, false, out.get(), &size, &executor),
            161001);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
