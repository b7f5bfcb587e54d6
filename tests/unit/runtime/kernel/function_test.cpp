#include "runtime/kernel/function.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "support/acl_fixture.hpp"

namespace aclvk::runtime {
namespace {

/// A kernel of two operands of 64 bytes and a scalar of 4.
class FunctionTest : public test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    for (void*& pointer : memory) pointer = device().memory().allocate(vk::Placement::kDevice, 64);
    kernel.name = "kernel";
    kernel.dispatch.shader = "copy";
    kernel.dispatch.constants = {1, 2};
    kernel.dispatch.operands = {operand(memory[0], vk::Access::kRead), operand(memory[1], vk::Access::kWrite)};
    kernel.dispatch.arguments = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    kernel.dispatch.groups = {3, 1, 1};
  }
  void TearDown() override {
    kernel = {};
    for (void* pointer : memory) device().memory().release(pointer, vk::Placement::kDevice);
    OneStream::TearDown();
  }

  static const Device& device() { return current_context()->device(); }
  static vk::DispatchOperand operand(const void* pointer, vk::Access access) {
    return {*device().memory().find(pointer, 64), access};
  }
  /// Returns the error that `with` throws.
  Code refusal(const std::vector<std::byte>& block, std::uint32_t blocks = 3) const {
    try {
      OperatorFunction(kernel).with(block, blocks, device());
      return Code::kSuccess;
    } catch (const Error& error) {
      return error.code();
    }
  }

  void* memory[3] = {};
  KernelTask kernel;
};

TEST_F(FunctionTest, BlockIsAddressesThenScalars) {
  const std::vector<std::byte> block = Function::pack(kernel);
  ASSERT_EQ(block.size(), 20u);
  const void* addresses[2] = {};
  std::memcpy(addresses, block.data(), 16);
  EXPECT_EQ(addresses[0], memory[0]);
  EXPECT_EQ(addresses[1], memory[1]);
  EXPECT_EQ(block[16], std::byte{1});
  EXPECT_EQ(block[19], std::byte{4});
}

TEST_F(FunctionTest, ChangedBlockMakesAChangedKernel) {
  std::vector<std::byte> block = Function::pack(kernel);
  std::memcpy(block.data() + 8, &memory[2], 8);
  block[16] = std::byte{9};
  const KernelTask changed = OperatorFunction(kernel).with(block, 5, device());
  EXPECT_EQ(changed.dispatch.operands[0].range.address(), kernel.dispatch.operands[0].range.address());
  EXPECT_EQ(changed.dispatch.operands[1].range.address(), reinterpret_cast<std::uintptr_t>(memory[2]));
  EXPECT_EQ(changed.dispatch.operands[1].range.size, 64u);
  EXPECT_EQ(changed.dispatch.operands[1].access, vk::Access::kWrite);
  EXPECT_EQ(changed.dispatch.arguments[0], std::byte{9});
  EXPECT_EQ(changed.dispatch.groups[0], 5u);
  EXPECT_EQ(changed.dispatch.constants, kernel.dispatch.constants);
}

TEST_F(FunctionTest, AddressesAreResolvedWithTheBytesThatTheKernelTouches) {
  std::vector<std::byte> block = Function::pack(kernel);
  const std::uint64_t beyond = reinterpret_cast<std::uintptr_t>(memory[1]) + 1;
  std::memcpy(block.data() + 8, &beyond, 8);
  EXPECT_EQ(refusal(block), Code::kParamInvalid);
}

TEST_F(FunctionTest, BlockOfAnotherSizeIsRefused) {
  std::vector<std::byte> block = Function::pack(kernel);
  block.pop_back();
  EXPECT_EQ(refusal(block), Code::kParamInvalid);
}

TEST_F(FunctionTest, OnlyFlatGridsChangeTheirNumberOfBlocks) {
  EXPECT_EQ(refusal(Function::pack(kernel), 0), Code::kParamInvalid);
  kernel.dispatch.groups = {3, 2, 1};
  EXPECT_EQ(refusal(Function::pack(kernel), 7), Code::kParamInvalid);
  EXPECT_EQ(refusal(Function::pack(kernel), 6), Code::kSuccess);
}

TEST_F(FunctionTest, RunsKernelsThatDifferInArgumentsOnly) {
  const OperatorFunction function(kernel);
  KernelTask other = kernel;
  other.dispatch.operands[0] = operand(memory[2], vk::Access::kRead);
  other.dispatch.arguments[0] = std::byte{7};
  EXPECT_TRUE(function.runs(other));
  other.dispatch.constants = {1, 3};
  EXPECT_FALSE(function.runs(other));
}

}  // namespace
}  // namespace aclvk::runtime
