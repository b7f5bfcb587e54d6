#include "ops/tensor/tensor_slots.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace aclvk::ops {
namespace {

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

TensorPtr tensor_at(std::uintptr_t address) {
  auto made = std::make_shared<Tensor>();
  made->data = at(address);
  return made;
}

TEST(TensorSlots, HoldOneTensorOrAListOrNone) {
  const TensorPtr x = tensor_at(0x1000), y = tensor_at(0x2000);
  TensorSlots slots;
  slots.add(x);
  slots.add(nullptr);
  slots.add(std::vector<TensorPtr>{x, y});
  ASSERT_EQ(slots.size(), 3U);
  EXPECT_EQ(slots.count(0), 1U);
  EXPECT_EQ(slots.count(1), 0U);
  EXPECT_EQ(slots.count(2), 2U);
  EXPECT_EQ(slots.tensors(), 3U);
  EXPECT_EQ(slots.number_of(2, 1), 2U);
  EXPECT_EQ(&slots.tensor(2, 1), &slots.tensor(2));
}

TEST(TensorSlots, ShareTensors) {
  const TensorPtr x = tensor_at(0x1000);
  TensorSlots slots;
  slots.add(x);
  slots.add(x);
  EXPECT_EQ(&slots.tensor(0, 0), x.get());
  EXPECT_EQ(x.use_count(), 3);
}

TEST(TensorSlots, CopyTensorsOfOthers) {
  std::vector<Tensor> tensors{*tensor_at(0x1000), *tensor_at(0x2000), *tensor_at(0x3000)};
  TensorSlots slots{&tensors[0], &tensors[1]};
  slots.add(tensors.data() + 1, tensors.data() + 3);
  slots.add(tensors.data() + 2, tensors.data() + 3);
  slots.add(nullptr, nullptr);
  const TensorSlots one{&tensors[0]};
  for (Tensor& tensor : tensors) tensor.data = nullptr;
  ASSERT_EQ(slots.size(), 5U);
  EXPECT_EQ(slots.tensor(0, 0).data, at(0x1000));
  EXPECT_EQ(slots.tensor(1, 0).data, at(0x2000));
  EXPECT_EQ(slots.tensor(2, 0).data, at(0x2000));
  EXPECT_EQ(slots.tensor(2, 1).data, at(0x3000));
  EXPECT_EQ(slots.tensor(3, 0).data, at(0x3000));
  EXPECT_EQ(slots.count(4), 0U);
  EXPECT_EQ(one.tensor(0, 0).data, at(0x1000));
}

TEST(TensorSlots, AnAddressChangesInOneSlotOnly) {
  const TensorPtr x = tensor_at(0x1000);
  TensorSlots slots;
  slots.add(x);
  slots.add(x);
  const TensorSlots copy = slots;
  slots.set_address(slots.number_of(1, 0), at(0x2000));
  EXPECT_EQ(slots.tensor(0, 0).data, at(0x1000));
  EXPECT_EQ(slots.tensor(1, 0).data, at(0x2000));
  EXPECT_EQ(copy.tensor(1, 0).data, at(0x1000));
  EXPECT_EQ(x->data, at(0x1000));
}

}  // namespace
}  // namespace aclvk::ops
