// Copies whose addresses are in memory themselves.
#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

Bytes address_bytes(const void* address) {
  Bytes bytes(sizeof(address));
  std::memcpy(bytes.data(), &address, sizeof(address));
  return bytes;
}

class IndirectCopy : public OneStream {
 protected:
  Bytes content = pattern(256, 1);
  Block* src = nullptr;
  Block* dst = nullptr;

  void SetUp() override {
    OneStream::SetUp();
    src = new Block(MemoryKind::kDevice, content);
    dst = new Block(MemoryKind::kDevice, Bytes(256, 0));
  }
  void TearDown() override {
    delete src;
    delete dst;
    OneStream::TearDown();
  }
};

void** cell(const Block& block) { return reinterpret_cast<void**>(block.begin()); }
const void** const_cell(const Block& block) { return reinterpret_cast<const void**>(block.begin()); }

constexpr auto kD2d = ACL_MEMCPY_DEVICE_TO_DEVICE;

TEST_F(IndirectCopy, AddressesAndOffsets) {
  const Block to(MemoryKind::kDevice, address_bytes(dst->begin()));
  const Block from(MemoryKind::kDevice, address_bytes(src->begin()));
  ASSERT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 100, 7, const_cell(from), 100, 31, kD2d, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(dst->read(), with_copied(Bytes(256, 0), 7, content, 31, 100));
}

TEST_F(IndirectCopy, AddressesAreReadWhenTheStreamComesThere) {
  const Block to(MemoryKind::kDevice, address_bytes(dst->begin()));
  const Block from(MemoryKind::kDevice, Bytes(8, 0));
  Block pinned(MemoryKind::kPinned, address_bytes(src->begin()));
  ASSERT_EQ(aclrtMemcpyAsync(from.begin(), 8, pinned.begin(), 8, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  ASSERT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 256, 0, const_cell(from), 256, 0, ACL_MEMCPY_DEFAULT, s), 0);
  ASSERT_EQ(aclrtMemsetAsync(src->begin(), 256, 0, 256, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(dst->read(), content) << "before the source was cleared, and after its address was written";
}

TEST_F(IndirectCopy, ABadAddressIsTheAnswerOfTheNextSynchronisation) {
  const Block to(MemoryKind::kDevice, address_bytes(dst->begin()));
  const Block from(MemoryKind::kDevice, Bytes(8, 0));
  ASSERT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 8, 0, const_cell(from), 8, 0, kD2d, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_PARAM_INVALID) << "NULL";
  EXPECT_EQ(aclrtSynchronizeStream(s), 0) << "told once";
  const Block end(MemoryKind::kDevice, address_bytes(src->begin()));
  ASSERT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 8192, 0, const_cell(end), 8192, 0, kD2d, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_PARAM_INVALID) << "behind the end";
  EXPECT_EQ(dst->read(), Bytes(256, 0));
}

TEST_F(IndirectCopy, OffsetsBadArguments) {
  const Block to(MemoryKind::kDevice, address_bytes(dst->begin()));
  const Block from(MemoryKind::kDevice, address_bytes(src->begin()));
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(nullptr, 0, 0, nullptr, 0, 0, aclrtMemcpyKind(77), s), 0) << "nothing to copy";
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(nullptr, 8, 0, const_cell(from), 8, 0, kD2d, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 8, 0, nullptr, 8, 0, kD2d, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 8, 0, const_cell(from), 8, 0, aclrtMemcpyKind(77), s),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 4, 0, const_cell(from), 8, 0, kD2d, s), ACL_ERROR_RT_PARAM_INVALID);
  void* on_stack = dst->begin();
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(&on_stack, 8, 0, const_cell(from), 8, 0, kD2d, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 8, 0, const_cell(from), 8, 0, kD2d, src), ACL_ERROR_RT_INVALID_HANDLE);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  EXPECT_EQ(aclrtMemcpyAsyncWithOffset(cell(to), 8, 0, const_cell(from), 8, 0, kD2d, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), 0);
}

TEST_F(IndirectCopy, ADescriptionIsFollowed) {
  size_t size = 0;
  ASSERT_EQ(aclrtGetMemcpyDescSize(kD2d, &size), 0);
  ASSERT_GT(size, 0U);
  const Block description(MemoryKind::kDevice, Bytes(size, 0));
  ASSERT_EQ(aclrtSetMemcpyDesc(description.begin(), kD2d, src->at(5), dst->at(9), 50, nullptr), 0);
  EXPECT_EQ(dst->read(), Bytes(256, 0)) << "described, not copied";
  ASSERT_EQ(aclrtMemcpyAsyncWithDesc(description.begin(), kD2d, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(dst->read(), with_copied(Bytes(256, 0), 9, content, 5, 50));
}

TEST_F(IndirectCopy, DescriptionsBadArguments) {
  size_t size = 0;
  EXPECT_EQ(aclrtGetMemcpyDescSize(kD2d, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetMemcpyDescSize(aclrtMemcpyKind(8), &size), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtGetMemcpyDescSize(kD2d, &size), 0);
  const Block description(MemoryKind::kDevice, Bytes(size, 0));
  void* const desc = description.begin();
  EXPECT_EQ(aclrtSetMemcpyDesc(nullptr, kD2d, src->begin(), dst->begin(), 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(desc, kD2d, nullptr, dst->begin(), 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetMemcpyDesc(desc, kD2d, src->begin(), nullptr, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(nullptr, kD2d, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(&size, kD2d, s), ACL_ERROR_RT_PARAM_INVALID) << "on the stack";
  EXPECT_EQ(aclrtMemcpyAsyncWithDesc(desc, kD2d, desc), ACL_ERROR_RT_INVALID_HANDLE);
  ASSERT_EQ(aclrtMemcpyAsyncWithDesc(desc, kD2d, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_PARAM_INVALID) << "there is no description";
}

class IndirectCopyInCapture : public CaptureTest {};

TEST_F(IndirectCopyInCapture, ARunReadsTheAddressesAnew) {
  const Cell one(1);
  const Cell two(2);
  const Cell out(0);
  const Word to(reinterpret_cast<std::uintptr_t>(out.address()));
  Word from(reinterpret_cast<std::uintptr_t>(one.address()));
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemcpyAsyncWithOffset(static_cast<void**>(to.address()), out.bytes(), 0,
                                         static_cast<const void**>(from.address()), out.bytes(), 0, kD2d, s),
              0);
    EXPECT_EQ(increment(out, s), 0);
  });
  EXPECT_EQ(out.value(), 0);
  run(model, s);
  EXPECT_EQ(out.value(), 2);
  from.set(reinterpret_cast<std::uintptr_t>(two.address()));
  run(model, s);
  EXPECT_EQ(out.value(), 3);
}

TEST_F(IndirectCopyInCapture, ABadAddressFailsTheRun) {
  const Cell one(1);
  const Cell out(0);
  const Word to(reinterpret_cast<std::uintptr_t>(out.address()));
  Word from(0);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemcpyAsyncWithOffset(static_cast<void**>(to.address()), out.bytes(), 0,
                                         static_cast<const void**>(from.address()), out.bytes(), 0, kD2d, s),
              0);
  });
  execute(model, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_PARAM_INVALID);
  from.set(reinterpret_cast<std::uintptr_t>(one.address()));
  run(model, s);
  EXPECT_EQ(out.value(), 1) << "the next run is another one";
}

}  // namespace
}  // namespace aclvk::test
