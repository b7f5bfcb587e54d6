#include "aclnnop/aclnn_sum.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class SumOfList : public OpTest {
 protected:
  static void check_sum(const std::vector<const OpTensor*>& tensors, const OpTensor& out) {
    const OpList list(tensors);
    const auto bytes = run([&](auto* n, auto** e) { return aclnnSumGetWorkspaceSize(list.get(), out.get(), n, e); },
                           aclnnSum, tensors, out);
    const bool whole = is_integer(out.type());
    const auto expected = [&](std::int64_t i) {
      Number sum = 0;
      for (const OpTensor* tensor : tensors) sum += tensor->before(source_of(i, out.shape(), tensor->shape()));
      return whole ? Number(wrap(static_cast<Wide>(sum.real()), out.type())) : rounded(sum, out.type());
    };
    expect_elements(out, bytes, expected, whole);
  }
};

/// The list destroys the handles of its members, so each test makes its own.
TEST_F(SumOfList, AddsTensorsThatBroadcast) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT, ACL_INT8, ACL_INT32, ACL_UINT8}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    for (const std::size_t count : {1, 2, 4}) {
      std::vector<std::unique_ptr<OpTensor>> tensors;
      std::vector<const OpTensor*> pointers;
      for (std::size_t i = 0; i < count; ++i) {
        tensors.push_back(std::make_unique<OpTensor>(type, i == 2 ? Shape{1} : i == 3 ? Shape{7, 1} : Shape{7, 11}));
        tensors.back()->fill_random(static_cast<unsigned>(i));
        pointers.push_back(tensors.back().get());
      }
      check_sum(pointers, OpTensor(type, {7, 11}));
    }
  }
}

TEST_F(SumOfList, Promotes) {
  struct Types {
    aclDataType first;
    aclDataType second;
    aclDataType out;
  };
  for (const Types& types : {Types{ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT}, Types{ACL_INT8, ACL_UINT8, ACL_INT32},
                             Types{ACL_INT32, ACL_FLOAT16, ACL_FLOAT16}, Types{ACL_UINT8, ACL_INT32, ACL_FLOAT}}) {
    SCOPED_TRACE("dtypes " + std::to_string(types.first) + " and " + std::to_string(types.second));
    OpTensor first(types.first, {5, 3});
    OpTensor second(types.second, {5, 3}, {{7, 2}, 1});
    OpTensor third(types.first, {3});
    first.fill_random(1);
    second.fill_random(2);
    third.fill_random(3);
    check_sum({&first, &second, &third}, OpTensor(types.out, {5, 3}));
  }
}

TEST_F(SumOfList, RefusesOthers) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor out(ACL_FLOAT, {4, 6});
  const OpTensor whole(ACL_INT32, {4, 6});
  const auto plan = [&](const std::vector<const OpTensor*>& tensors, aclTensor* to) {
    const OpList list(tensors);
    return aclnnSumGetWorkspaceSize(list.get(), to, &size, &executor);
  };
  const auto tensor = [](aclDataType type, const Shape& shape) { return std::make_unique<OpTensor>(type, shape); };
  EXPECT_EQ(aclnnSumGetWorkspaceSize(nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(plan({tensor(ACL_FLOAT, {4, 6}).get()}, nullptr), 161001);
  EXPECT_EQ(plan({nullptr}, out.get()), 161001);
  EXPECT_EQ(plan({}, out.get()), 161002);
  EXPECT_EQ(plan({tensor(ACL_INT64, {4, 6}).get()}, out.get()), 161002);
  EXPECT_EQ(plan({tensor(ACL_FLOAT, {4, 5}).get()}, out.get()), 161002);
  EXPECT_EQ(plan({tensor(ACL_FLOAT, {4, 6}).get()}, whole.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
