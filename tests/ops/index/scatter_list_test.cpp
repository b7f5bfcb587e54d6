#include "aclnnop/aclnn_scatter_list.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class ScatterList : public OpTest {};

TEST_F(ScatterList, PutsASliceIntoEachTensor) {
  for (const aclDataType type : {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_UINT16, ACL_INT32, ACL_UINT32, ACL_INT64,
                                 ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (const aclDataType index : {ACL_INT32, ACL_INT64}) {
      for (const bool masked : {false, true}) {
        SCOPED_TRACE("dtype " + std::to_string(type));
        std::vector<std::unique_ptr<OpTensor>> tensors;
        for (const std::int64_t rows : {5, 7, 4, 6}) {
          tensors.push_back(std::make_unique<OpTensor>(type, Shape{2, rows, 3}));
          tensors.back()->fill_random(static_cast<unsigned>(rows));
        }
        OpTensor indices(index, {4});
        const std::vector<std::int64_t> starts = {3, 0, 3,
                                                  -1};  // the third reaches beyond its tensor, the last is outside
        indices.fill([&](std::int64_t i) -> Number { return Real(starts[static_cast<std::size_t>(i)]); });
        OpTensor updates(type, {4, 2, 2, 3});
        updates.fill_random(8);
        OpTensor mask(ACL_UINT8, {4});
        mask.fill([](std::int64_t i) -> Number { return Real(i != 1); });
        std::vector<const OpTensor*> members;
        for (const auto& tensor : tensors) members.push_back(tensor.get());
        const OpList list(members);
        for (std::size_t n = 0; n < tensors.size(); ++n) {
          const OpTensor& looked_at = *tensors[n];
          std::vector<const OpTensor*> inputs = {&indices, &updates, &mask};
          for (const OpTensor* member : members) {
            if (member != &looked_at) inputs.push_back(member);
          }
          const auto bytes = run(
              [&](auto* size, auto** e) {
                return aclnnScatterListGetWorkspaceSize(list.get(), indices.get(), updates.get(),
                                                        masked ? mask.get() : nullptr, nullptr, -2, size, e);
              },
              aclnnScatterList, inputs, looked_at);
          const auto expected = [&](std::int64_t i) -> Number {
            const Shape at = coordinates_of(i, looked_at.shape());
            const std::int64_t start = starts[n];
            const std::int64_t slice = at[1] - start;
            const bool there = start >= 0 && start + 2 <= looked_at.shape()[1] && slice >= 0 && slice < 2;
            if (!there || (masked && n == 1)) return looked_at.before(i);
            return updates.before(((static_cast<std::int64_t>(n) * 2 + at[0]) * 2 + slice) * 3 + at[2]);
          };
          expect_elements(looked_at, bytes, expected, true);
        }
      }
    }
  }
}

TEST_F(ScatterList, RefusesOthers) {
  const OpTensor indices(ACL_INT64, {2});
  const OpTensor pairs(ACL_INT64, {2, 2});
  const OpTensor updates(ACL_FLOAT, {2, 1, 3});
  const OpTensor doubles(ACL_DOUBLE, {2, 1, 3});
  const OpTensor high(ACL_FLOAT, {2, 6, 3});
  const OpTensor three(ACL_FLOAT, {3, 1, 3});
  const OpTensor mask(ACL_UINT8, {3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& index, const OpTensor* source, const OpTensor* masked, const char* reduce,
                        std::int64_t axis, aclDataType type = ACL_FLOAT) {
    const OpTensor first(type, {5, 3});
    const OpTensor second(type, {5, 3});
    const OpList list({&first, &second});
    std::string word = reduce;
    return aclnnScatterListGetWorkspaceSize(list.get(), index.get(), source ? source->get() : nullptr,
                                            masked ? masked->get() : nullptr, word.data(), axis, &size, &executor);
  };
  EXPECT_EQ(plan(indices, nullptr, nullptr, "update", -2), 161001);
  EXPECT_EQ(
      aclnnScatterListGetWorkspaceSize(nullptr, indices.get(), updates.get(), nullptr, nullptr, -2, &size, &executor),
      161001);
  EXPECT_EQ(plan(pairs, &updates, nullptr, "update", -2), 161002);
  EXPECT_EQ(plan(indices, &updates, nullptr, "add", -2), 161002);
  EXPECT_EQ(plan(indices, &updates, nullptr, "update", 2), 161002);
  EXPECT_EQ(plan(indices, &updates, &mask, "update", -2), 161002);
  EXPECT_EQ(plan(indices, &high, nullptr, "update", -2), 161002);
  EXPECT_EQ(plan(indices, &three, nullptr, "update", -2), 161002);
  EXPECT_EQ(plan(indices, &doubles, nullptr, "update", -2, ACL_DOUBLE), 161002);
  EXPECT_EQ(plan(indices, &updates, nullptr, "update", -2, ACL_FLOAT16), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
