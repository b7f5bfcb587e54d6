#include "ops/executor/tensor_address.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

std::shared_ptr<Tensor> tensor(Shape shape, std::int64_t offset = 0, DType dtype = DType::kFloat16) {
  auto made = std::make_shared<Tensor>();
  made->shape = shape;
  made->strides = contiguous_strides(shape);
  made->offset = offset;
  made->dtype = dtype;
  made->handle = tensor_handles().insert(made);
  return made;
}

TEST(TensorAddress, PlaceholdersAreDisjoint) {
  const TensorPtr first = with_placeholder(tensor({1 << 20})), second = with_placeholder(tensor({1 << 20}, 1 << 20));
  EXPECT_TRUE(has_placeholder(*first));
  EXPECT_TRUE(is_in_placeholder(*first, first->address()));
  EXPECT_FALSE(is_in_placeholder(*first, second->address()));
  EXPECT_FALSE(share_elements(*first, *second));
  EXPECT_EQ(program_address(*first), nullptr);
}

// Whatever the offset: an operator that asks for a workspace then asks for enough.
TEST(TensorAddress, APlaceholderIsAlignedToNoMoreThanAWord) {
  for (const DType dtype : {DType::kInt8, DType::kFloat16, DType::kFloat, DType::kInt64, DType::kComplex128}) {
    for (const std::int64_t offset : {0, 1, 3, 64}) {
      const TensorPtr placed = with_placeholder(tensor({5}, offset, dtype));
      const auto address = reinterpret_cast<std::uintptr_t>(placed->address());
      EXPECT_EQ(address % std::max<std::size_t>(4, size_of(dtype)), 0U);
      EXPECT_NE(address % 32, 0U);
      check_view(*placed, "tensor");
    }
  }
}

TEST(TensorAddress, OnlyElementsWithoutMemoryHaveOne) {
  EXPECT_FALSE(has_placeholder(*with_placeholder(tensor({0, 3}))));
  const auto placed = tensor({3});
  int memory = 0;
  placed->data = &memory;
  EXPECT_EQ(with_placeholder(placed), placed);
  EXPECT_EQ(program_address(*placed), &memory);
  EXPECT_EQ(with_placeholder(nullptr), nullptr);
}

TEST(TensorAddress, ANewOneIsCounted) {
  const auto moved = tensor({3});
  int memory = 0;
  const std::uint64_t before = address_changes();
  set_address(moved->handle, &memory);
  EXPECT_GT(address_changes(), before);
  EXPECT_EQ(tensor_handles().find(moved->handle)->data, &memory);
  EXPECT_TRUE(is_same_tensor(*tensor_handles().find(moved->handle), *moved));
  set_address(nullptr, &memory);  // nothing happens
}

}  // namespace
}  // namespace aclvk::ops
