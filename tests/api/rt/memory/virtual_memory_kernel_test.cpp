// Kernels on reserved addresses: across mappings, in large reservations, and what happens to them when memory goes.
#include <vector>

#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"
#include "support/virtual_memory.hpp"

namespace {

using namespace aclvk::test;

class VirtualMemoryKernel : public OneBuffer {
 protected:
  void SetUp() override {
    OneBuffer::SetUp();
    if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  }
};

/// A float tensor over memory that it does not own.
class TensorAt {
 public:
  TensorAt(void* memory, std::int64_t count) {
    const std::int64_t stride = 1;
    tensor_ = aclCreateTensor(&count, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &count, 1, memory);
  }
  ~TensorAt() { aclDestroyTensor(tensor_); }
  TensorAt(const TensorAt&) = delete;
  TensorAt& operator=(const TensorAt&) = delete;
  const aclTensor* get() const { return tensor_; }
  aclTensor* get() { return tensor_; }

 private:
  aclTensor* tensor_ = nullptr;
};

/// Adds 1 to every element.
int add_one(TensorAt& tensor, aclrtStream stream) {
  const float one = 1;
  aclScalar* scalar = aclCreateScalar(const_cast<float*>(&one), ACL_FLOAT);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  int code = aclnnInplaceAddsGetWorkspaceSize(tensor.get(), scalar, scalar, &workspace, &executor);
  if (code == 0) code = aclnnInplaceAdds(nullptr, 0, executor, stream);
  aclDestroyScalar(scalar);
  return code;
}

constexpr std::int64_t kFloats = kChunk / sizeof(float);

TEST_F(VirtualMemoryKernel, AKernelSpansMappingsSideBySide) {
  const Reservation addresses(3);
  const Physical first, second, third;
  const Mapped a(addresses.at(0), first), b(addresses.at(1), second);
  EXPECT_EQ(aclrtMemset(addresses.at(0), 2 * kChunk, 0, 2 * kChunk), 0);
  TensorAt across(addresses.at(0), 2 * kFloats);
  EXPECT_EQ(add_one(across, s), 0) << aclGetRecentErrMsg();
  // The segment grows, as PyTorch's expandable ones do.
  const Mapped c(addresses.at(2), third);
  EXPECT_EQ(aclrtMemset(addresses.at(2), kChunk, 0, kChunk), 0);
  TensorAt longer(addresses.at(1), 2 * kFloats);
  EXPECT_EQ(add_one(longer, s), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  std::vector<float> values(3 * kFloats);
  const std::size_t bytes = 3 * kChunk;
  ASSERT_EQ(aclrtMemcpy(values.data(), bytes, addresses.at(0), bytes, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  for (std::size_t i = 0; i < values.size(); i += 1000) {
    ASSERT_EQ(values[i], i / kFloats == 1 ? 2 : 1) << i;
  }
}

TEST_F(VirtualMemoryKernel, AKernelOverAGapIsRefused) {
  const Reservation addresses(3);
  const Physical first, third;
  const Mapped a(addresses.at(0), first), c(addresses.at(2), third);
  TensorAt across(addresses.at(0), 3 * kFloats);
  EXPECT_NE(add_one(across, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

// A driver's largest buffer is smaller than this reservation; memory is found all over it.
TEST_F(VirtualMemoryKernel, MemoryFarInsideALargeReservationCanBeUsed) {
  const bool sparse = !host_sees_reserved_addresses();  // lavapipe has 2 GiB of addresses for sparse buffers
  const Reservation addresses(sparse ? 600 : 16384);
  const Physical first, second;
  for (const std::size_t chunk : {0, 511, 512, 1023, 1024, 5119, 16382}) {
    if (sparse && chunk > 512) break;
    const Mapped a(addresses.at(chunk), first), b(addresses.at(chunk + 1), second);
    TensorAt across(addresses.at(chunk), 2 * kFloats);
    EXPECT_EQ(aclrtMemset(addresses.at(chunk), 2 * kChunk, 0, 2 * kChunk), 0);
    EXPECT_EQ(add_one(across, s), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
    float last = 0;
    EXPECT_EQ(aclrtMemcpy(&last, 4, addresses.at(chunk + 2) - 4, 4, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(last, 1);
  }
}

// Work that was issued before still finds pages there, although its results cannot be read.
TEST_F(VirtualMemoryKernel, WorkThatComesTooLateDoesNoHarm) {
  const Reservation addresses(1);
  const Physical memory;
  BlockedStream blocked;
  {
    const Mapped mapped(addresses.at(0), memory);
    ASSERT_EQ(aclrtMemset(addresses.at(0), kChunk, 0, kChunk), 0);
    TensorAt tensor(addresses.at(0), kFloats);
    EXPECT_EQ(add_one(tensor, blocked.get()), 0);
  }
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(blocked.get()), 0);
  const Mapped mapped(addresses.at(0), memory);
  EXPECT_EQ(content(addresses.at(0), kChunk), Bytes(kChunk, 0));
}

TEST_F(VirtualMemoryKernel, UnmappingWaitsForWhatWasLaunched) {
  const Reservation addresses(1);
  const Physical memory;
  for (int i = 0; i < 20; ++i) {
    const Mapped mapped(addresses.at(0), memory);
    if (i == 0) {
      ASSERT_EQ(aclrtMemset(addresses.at(0), kChunk, 0, kChunk), 0);
    }
    TensorAt tensor(addresses.at(0), kFloats);
    EXPECT_EQ(add_one(tensor, s), 0);
    EXPECT_EQ(add_one(tensor, s), 0);
  }
  const Mapped mapped(addresses.at(0), memory);
  float last = 0;
  EXPECT_EQ(aclrtMemcpy(&last, 4, addresses.at(1) - 4, 4, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(last, 40);
}

class CapturedVirtualMemory : private Settings, public CaptureTest {
 protected:
  CapturedVirtualMemory() : Settings({{"ACLVK_CHECK_LIFETIME", "1"}}) {}

  static float first_of(const void* memory) {
    float value = 0;
    EXPECT_EQ(aclrtMemcpy(&value, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return value;
  }
};

// Memory that is mapped beside it does not end what a model refers to; unmapping it does.
TEST_F(CapturedVirtualMemory, AModelRunsWhileItsSegmentGrows) {
  if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  const Reservation addresses(3);
  const Physical first, second;
  aclmdlRI model = nullptr;
  {
    const Mapped a(addresses.at(0), first);
    EXPECT_EQ(aclrtMemset(addresses.at(0), kChunk, 0, kChunk), 0);
    TensorAt tensor(addresses.at(0), kFloats);
    model = capture([&] { EXPECT_EQ(add_one(tensor, s), 0); });
    run(model, s);
    EXPECT_EQ(first_of(addresses.at(0)), 1);
    {
      const Mapped b(addresses.at(1), second);
      TensorAt longer(addresses.at(0), 2 * kFloats);
      EXPECT_EQ(add_one(longer, s), 0);
      run(model, s);
      EXPECT_EQ(first_of(addresses.at(0)), 3);
    }
    run(model, s);
    EXPECT_EQ(first_of(addresses.at(0)), 4);
  }
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
  const Mapped again(addresses.at(0), first);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE) << "another mapping at the same address";
}

TEST_F(CapturedVirtualMemory, AModelDoesNotRunWithoutAccess) {
  if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  const Reservation addresses(1);
  const Physical memory;
  const Mapped mapped(addresses.at(0), memory);
  EXPECT_EQ(aclrtMemset(addresses.at(0), kChunk, 0, kChunk), 0);
  TensorAt tensor(addresses.at(0), kFloats);
  aclmdlRI model = capture([&] { EXPECT_EQ(add_one(tensor, s), 0); });
  run(model, s);
  aclrtMemAccessDesc desc{ACL_RT_MEM_ACCESS_FLAGS_NONE, {0, ACL_MEM_LOCATION_TYPE_DEVICE}, {}};
  ASSERT_EQ(aclrtMemSetAccess(addresses.at(0), kChunk, &desc, 1), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
  desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
  ASSERT_EQ(aclrtMemSetAccess(addresses.at(0), kChunk, &desc, 1), 0);
  run(model, s);
  EXPECT_EQ(first_of(addresses.at(0)), 2);
}

}  // namespace
