#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_chunk_cat.h"
#include "aclnnop/aclnn_stack.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_DOUBLE,   ACL_INT8,
                                  ACL_UINT8, ACL_INT16,   ACL_UINT16, ACL_INT32,    ACL_UINT32,
                                  ACL_INT64, ACL_UINT64,  ACL_BOOL,   ACL_COMPLEX64};

class Joined : public OpTest {};
class JoinedTypes : public Joined, public testing::WithParamInterface<aclDataType> {};

TEST_P(JoinedTypes, AreCattedAlongEachDim) {
  for (const std::int64_t dim : {0, 1, -1}) {
    OpTensor first(GetParam(), {3, 5, 2});
    OpTensor second(GetParam(), {3, 5, 2}, {{1, 6, 3}, 2});
    first.fill_random(1);
    second.fill_random(2);
    const auto along = static_cast<std::size_t>(dim < 0 ? dim + 3 : dim);
    Shape shape = first.shape();
    shape[along] *= 2;
    const OpTensor out(GetParam(), shape);
    const OpList tensors({&first, &second});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnCatGetWorkspaceSize(tensors.get(), dim, out.get(), n, e); }, aclnnCat,
            {&first, &second}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          Shape at = coordinates_of(i, shape);
          const std::int64_t size = first.shape()[along];
          const OpTensor& from = at[along] < size ? first : second;
          at[along] %= size;
          return from.before(element_at(at, from.shape()));
        },
        true);
  }
}

TEST_P(JoinedTypes, AreStackedAlongEachDim) {
  for (const std::int64_t dim : {0, 1, 2, -1}) {
    OpTensor first(GetParam(), {3, 5});
    OpTensor second(GetParam(), {3, 5}, {{1, 3}, 2});
    first.fill_random(3);
    second.fill_random(4);
    const auto along = static_cast<std::size_t>(dim < 0 ? dim + 3 : dim);
    Shape shape = first.shape();
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(along), 2);
    const OpTensor out(GetParam(), shape);
    const OpList tensors({&first, &second});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnStackGetWorkspaceSize(tensors.get(), dim, out.get(), n, e); },
            aclnnStack, {&first, &second}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          Shape at = coordinates_of(i, shape);
          const OpTensor& from = at[along] == 0 ? first : second;
          at.erase(at.begin() + static_cast<std::ptrdiff_t>(along));
          return from.before(element_at(at, from.shape()));
        },
        true);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, JoinedTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Joined, PromoteAndLeaveOutNothing) {
  OpTensor whole(ACL_INT32, {4});
  OpTensor nothing(ACL_FLOAT16, {0});
  OpTensor real(ACL_FLOAT16, {3});
  whole.fill_random(5);
  real.fill_random(6);
  const OpTensor out(ACL_FLOAT, {7});
  const OpList tensors({&whole, &nothing, &real});
  const auto bytes = run([&](auto* n, auto** e) { return aclnnCatGetWorkspaceSize(tensors.get(), 0, out.get(), n, e); },
                         aclnnCat, {&whole, &real}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return i < 4 ? whole.before(i) : real.before(i - 4); }, true);
}

TEST_F(Joined, CatManyTensors) {
  std::vector<std::unique_ptr<OpTensor>> owners;
  std::vector<const OpTensor*> tensors;
  for (unsigned i = 0; i < 70; ++i) {
    owners.push_back(std::make_unique<OpTensor>(ACL_FLOAT, Shape{1 + i % 3, 2}));
    owners.back()->fill_random(i);
    tensors.push_back(owners.back().get());
  }
  std::vector<Number> expected;
  for (const OpTensor* tensor : tensors) {
    for (std::int64_t i = 0; i < tensor->count(); ++i) expected.push_back(tensor->before(i));
  }
  const OpTensor out(ACL_FLOAT, {static_cast<std::int64_t>(expected.size()) / 2, 2});
  const OpList list(tensors);
  const auto bytes = run([&](auto* n, auto** e) { return aclnnCatGetWorkspaceSize(list.get(), 0, out.get(), n, e); },
                         aclnnCat, tensors, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, true);
}

// As torch._chunk_cat: chunks of ceil(size / count), zeros after the last element, the rest of the dims in one.
TEST_F(Joined, CatChunks) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    OpTensor first(type, {2, 5, 3});
    OpTensor second(type, {2, 4}, {{1, 2}, 1});
    first.fill_random(7);
    second.fill_random(8);
    const OpTensor out(type, {2, 3, 8});  // chunks of 2 * 3 and of 2
    const OpList tensors({&first, &second});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnChunkCatGetWorkspaceSize(tensors.get(), 1, 3, out.get(), n, e); },
            aclnnChunkCat, {&first, &second}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) -> Number {
          const Shape at = coordinates_of(i, out.shape());
          if (at[2] < 6) {
            const std::int64_t row = at[1] * 2 + at[2] / 3;
            return row < 5 ? first.before(element_at({at[0], row, at[2] % 3}, {2, 5, 3})) : Number(0);
          }
          const std::int64_t column = at[1] * 2 + at[2] - 6;
          return column < 4 ? second.before(element_at({at[0], column}, {2, 4})) : Number(0);
        },
        true);
  }
}

TEST_F(Joined, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor first(ACL_FLOAT, {3, 5});
  const OpTensor second(ACL_FLOAT, {3, 4});
  const OpTensor late(ACL_UINT32, {3, 5});
  const OpTensor out(ACL_FLOAT, {3, 9});
  const OpTensor whole(ACL_INT32, {3, 9});
  const OpList tensors({&first, &second});
  const OpList mixed({&first, &late});
  const OpList none({});
  const OpList null({&first, nullptr});
  EXPECT_EQ(aclnnCatGetWorkspaceSize(nullptr, 1, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnCatGetWorkspaceSize(tensors.get(), 1, nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnCatGetWorkspaceSize(null.get(), 1, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnCatGetWorkspaceSize(none.get(), 1, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnCatGetWorkspaceSize(tensors.get(), 0, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnCatGetWorkspaceSize(tensors.get(), 2, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnCatGetWorkspaceSize(tensors.get(), 1, whole.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnCatGetWorkspaceSize(mixed.get(), 1, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnStackGetWorkspaceSize(tensors.get(), 0, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnChunkCatGetWorkspaceSize(tensors.get(), 1, 0, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnChunkCatGetWorkspaceSize(tensors.get(), 1, INT64_MAX, out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
