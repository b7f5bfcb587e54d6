// Copies whose host side cannot be touched: a code and a sentence, and never a signal.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kPage = 4096;
constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS;

/// Pages of the program, of which some may be protected or unmapped.
class Pages {
 public:
  explicit Pages(std::size_t bytes, int file = -1)
      : bytes_(bytes),
        pages_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, file < 0 ? kAnonymous : MAP_SHARED, file, 0)) {
    EXPECT_NE(pages_, MAP_FAILED);
  }
  // Unmapped pages may belong to another allocation by now.
  ~Pages() {
    munmap(pages_, hole_);
    munmap(at(hole_ + hole_bytes_), bytes_ - hole_ - hole_bytes_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::uint8_t* at(std::size_t offset) const { return static_cast<std::uint8_t*>(pages_) + offset; }
  std::size_t bytes() const { return bytes_; }
  void protect(std::size_t from, std::size_t bytes, int access) const {
    EXPECT_EQ(mprotect(at(from), bytes, access), 0);
  }
  void unmap(std::size_t from, std::size_t bytes) {
    EXPECT_EQ(munmap(at(from), bytes), 0);
    hole_ = from;
    hole_bytes_ = bytes;
  }

 private:
  std::size_t bytes_;
  void* pages_;
  std::size_t hole_ = 0;
  std::size_t hole_bytes_ = 0;
};

/// A file of one page, of which a program may map more.
class ShortFile {
 public:
  ShortFile() : file_(std::tmpfile()) { EXPECT_EQ(ftruncate(number(), kPage), 0); }
  ~ShortFile() { std::fclose(file_); }
  ShortFile(const ShortFile&) = delete;
  ShortFile& operator=(const ShortFile&) = delete;
  int number() const { return fileno(file_); }

 private:
  std::FILE* file_;
};

class BadHostMemory : public OneStream {
 protected:
  static constexpr std::size_t kDeviceBytes = 16 << 20;
  static constexpr std::size_t kLongestRow = 1 << 20;

  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(aclrtMalloc(&d, kDeviceBytes, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ASSERT_EQ(aclrtMemset(d, kDeviceBytes, 7, kDeviceBytes), 0);
  }

  static void expect_refused(aclError code, const char* what) {
    EXPECT_EQ(code, ACL_ERROR_RT_PARAM_INVALID) << what;
    const char* sentence = aclGetRecentErrMsg();
    EXPECT_THAT(sentence ? sentence : "", testing::HasSubstr("memory of this process")) << what;
  }

  void expect_no_reads(const void* host, std::size_t bytes) {
    expect_refused(aclrtMemcpy(d, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE), "copy");
    expect_refused(aclrtMemcpyAsync(d, bytes, host, bytes, ACL_MEMCPY_HOST_TO_DEVICE, s), "copy in a stream");
    const std::size_t row = std::min(bytes / 2, kLongestRow);
    const std::size_t rows = bytes / row;
    expect_refused(aclrtMemcpy2d(d, row, host, row, row, rows, ACL_MEMCPY_HOST_TO_DEVICE), "rows");
    expect_refused(aclrtMemcpy2dAsync(d, row, host, row, row, rows, ACL_MEMCPY_HOST_TO_DEVICE, s), "rows in a stream");
    Bytes other(bytes);
    expect_refused(aclrtMemcpy(other.data(), bytes, host, bytes, ACL_MEMCPY_HOST_TO_HOST), "host to host");
    expect_refused(batch(d, const_cast<void*>(host), bytes, kOnDevice, kHost), "batch");
  }

  void expect_no_writes(void* host, std::size_t bytes) {
    expect_refused(aclrtMemcpy(host, bytes, d, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
    expect_refused(aclrtMemcpyAsync(host, bytes, d, bytes, ACL_MEMCPY_DEVICE_TO_HOST, s), "copy in a stream");
    const std::size_t row = std::min(bytes / 2, kLongestRow);
    const std::size_t rows = bytes / row;
    expect_refused(aclrtMemcpy2d(host, row, d, row, row, rows, ACL_MEMCPY_DEVICE_TO_HOST), "rows");
    expect_refused(aclrtMemcpy2dAsync(host, row, d, row, row, rows, ACL_MEMCPY_DEVICE_TO_HOST, s), "rows in a stream");
    const Bytes other(bytes);
    expect_refused(aclrtMemcpy(host, bytes, other.data(), bytes, ACL_MEMCPY_HOST_TO_HOST), "host to host");
    expect_refused(aclrtMemset(host, bytes, 1, bytes), "fill");
    expect_refused(aclrtMemsetAsync(host, bytes, 1, bytes, s), "fill in a stream");
    expect_refused(batch(host, d, bytes, kHost, kOnDevice), "batch");
  }

  void expect_untouchable(void* host, std::size_t bytes) {
    expect_no_reads(host, bytes);
    expect_no_writes(host, bytes);
  }

  static aclError batch(void* dst, void* src, std::size_t bytes, aclrtMemLocation to, aclrtMemLocation from) {
    aclrtMemcpyBatchAttr attribute{to, from, {}};
    std::size_t index = 0;
    std::size_t failed = 0;
    return aclrtMemcpyBatch(&dst, &bytes, &src, &bytes, 1, &attribute, &index, 1, &failed);
  }

  static constexpr aclrtMemLocation kHost{0, ACL_MEM_LOCATION_TYPE_HOST};
  static constexpr aclrtMemLocation kOnDevice{0, ACL_MEM_LOCATION_TYPE_DEVICE};
  void* d = nullptr;
};

TEST_F(BadHostMemory, ALiteralIsRead) {
  static const char literal[] = "0123456789abcdef";
  Bytes back(16);
  ASSERT_EQ(aclrtMemcpy(d, 16, literal, 16, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(aclrtMemcpy(back.data(), 16, d, 16, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(std::memcmp(back.data(), literal, 16), 0);
}

TEST_F(BadHostMemory, ALiteralIsNotWritten) {
  static const char literal[] = "0123456789abcdef";
  expect_no_writes(const_cast<char*>(literal), 16);
  EXPECT_STREQ(literal, "0123456789abcdef");
}

TEST_F(BadHostMemory, CodeIsNotWritten) { expect_no_writes(reinterpret_cast<void*>(&aclrtMemcpy), 8); }

TEST_F(BadHostMemory, ProtectedPages) {
  const Pages pages(16 * kPage);
  pages.protect(0, 16 * kPage, PROT_NONE);
  for (const std::size_t bytes : {std::size_t{8}, kPage, 16 * kPage}) expect_untouchable(pages.at(0), bytes);
}

TEST_F(BadHostMemory, UnmappedPages) {
  Pages pages(16 * kPage);
  pages.unmap(8 * kPage, 8 * kPage);
  expect_untouchable(pages.at(8 * kPage - 4), 8);
  expect_untouchable(pages.at(0), 16 * kPage);
  const Bytes source(8 * kPage, 3);
  EXPECT_EQ(aclrtMemcpy(pages.at(0), 8 * kPage, source.data(), 8 * kPage, ACL_MEMCPY_HOST_TO_HOST), 0);
  EXPECT_EQ(*pages.at(8 * kPage - 1), 3);
}

TEST_F(BadHostMemory, PastTheEndOfAFile) {
  const ShortFile file;
  const Pages pages(64 * kPage, file.number());
  expect_untouchable(pages.at(kPage), 8);
  expect_untouchable(pages.at(0), 2 * kPage);
  expect_untouchable(pages.at(0), 64 * kPage);  // so many that not each is touched
  EXPECT_EQ(aclrtMemcpy(pages.at(0), kPage, d, kPage, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(*pages.at(kPage - 1), 7);
}

// Somewhere inside, where both ends are fine.
TEST_F(BadHostMemory, AHoleInALargeRange) {
  Pages pages(kDeviceBytes);
  pages.unmap(5 << 20, kPage);
  expect_untouchable(pages.at(0), kDeviceBytes);
}

TEST_F(BadHostMemory, AProtectedPageInALargeRange) {
  const Pages pages(kDeviceBytes);
  pages.protect(9 << 20, kPage, PROT_READ);
  expect_no_writes(pages.at(0), kDeviceBytes);
  EXPECT_EQ(aclrtMemcpy(d, kDeviceBytes, pages.at(0), kDeviceBytes, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  pages.protect(9 << 20, kPage, PROT_NONE);
  expect_untouchable(pages.at(0), kDeviceBytes);
}

// Bytes between rows need not be mapped.
TEST_F(BadHostMemory, RowsAroundAHole) {
  Pages pages(12 * kPage);
  pages.unmap(5 * kPage, kPage);
  const auto rows = [&](std::size_t first) {
    return aclrtMemcpy2d(pages.at(first), 4 * kPage, d, kPage, kPage, 3, ACL_MEMCPY_DEVICE_TO_HOST);
  };
  EXPECT_EQ(rows(0), 0);
  EXPECT_EQ(*pages.at(8 * kPage), 7);
  expect_refused(rows(kPage), "the second row lies in the hole");
}

TEST_F(BadHostMemory, AlsoAfterTheProgramHasClosedAllFiles) {
  const Pages pages(kDeviceBytes);
  ASSERT_EQ(aclrtMemcpy(pages.at(0), kDeviceBytes, d, kDeviceBytes, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  pages.protect(9 << 20, kPage, PROT_READ);
  const Bytes source(kDeviceBytes);
  expect_refused(aclrtMemcpy(pages.at(0), kDeviceBytes, source.data(), kDeviceBytes, ACL_MEMCPY_HOST_TO_HOST),
                 "before");
  for (int number = 3; number < 256; ++number) {
    // A program that closes all files, as daemons do, closes ours too; the number may be another file's then.
    char target[256] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(number);
    if (readlink(link.c_str(), target, sizeof(target) - 1) > 0 && std::strstr(target, "/maps")) close(number);
  }
  const ShortFile another;
  expect_refused(aclrtMemcpy(pages.at(0), kDeviceBytes, source.data(), kDeviceBytes, ACL_MEMCPY_HOST_TO_HOST), "after");
}

/// Memory that the program has registered, and then unmapped.
class UnmappedRegistration : public BadHostMemory {
 protected:
  static constexpr std::size_t kBytes = 4 * kPage;

  void SetUp() override {
    BadHostMemory::SetUp();
    void* mapped = nullptr;
    if (aclrtHostRegister(pages.at(0), kBytes, ACL_HOST_REGISTER_MAPPED, &mapped) == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) {
      GTEST_SKIP() << "This driver imports no host memory.";
    }
  }

  Pages pages{kBytes};
};

TEST_F(UnmappedRegistration, IsNotCopied) {
  pages.unmap(kPage, kPage);
  expect_no_reads(pages.at(0), kBytes);
  expect_refused(aclrtMemcpy(pages.at(0), kBytes, d, kBytes, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  expect_refused(aclrtMemcpyAsync(pages.at(0), kBytes, d, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, s), "in a stream");
  expect_refused(aclrtMemset(pages.at(0), kBytes, 1, kBytes), "fill");
  EXPECT_EQ(aclrtMemcpyAsync(pages.at(0), kPage, d, kPage, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(*pages.at(kPage - 1), 7);
}

TEST_F(UnmappedRegistration, IsNotWrittenWhenItIsReadOnly) {
  pages.protect(0, kBytes, PROT_READ);
  expect_refused(aclrtMemcpyAsync(pages.at(0), kBytes, d, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, s), "in a stream");
  EXPECT_EQ(aclrtMemcpyAsync(d, kBytes, pages.at(0), kBytes, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(UnmappedRegistration, IsNotReadByAReplay) {
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, kRelaxed), 0);
  ASSERT_EQ(aclrtMemcpyAsync(d, kBytes, pages.at(0), kBytes, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  ASSERT_EQ(aclmdlRIExecuteAsync(model, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  pages.unmap(0, kPage);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

/// A pageable copy that a captured stream has stored.
class GoneAtReplay : public BadHostMemory {
 protected:
  static constexpr std::size_t kBytes = 4 * kPage;

  aclmdlRI captured(bool to_host) {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureBegin(s, kRelaxed), 0);
    const auto kind = to_host ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_DEVICE;
    void* host = pages.at(0);
    EXPECT_EQ(aclrtMemcpyAsync(to_host ? host : d, kBytes, to_host ? d : host, kBytes, kind, s), 0);
    EXPECT_EQ(aclmdlRICaptureEnd(s, &model), 0);
    return model;
  }
  aclError replay(aclmdlRI model) {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    return aclrtSynchronizeStream(s);
  }

  Pages pages{kBytes};
};

TEST_F(GoneAtReplay, ItsSource) {
  const aclmdlRI model = captured(false);
  EXPECT_EQ(replay(model), 0);
  pages.unmap(kPage, kPage);
  EXPECT_EQ(replay(model), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(GoneAtReplay, ItsDestination) {
  const aclmdlRI model = captured(true);
  EXPECT_EQ(replay(model), 0);
  EXPECT_EQ(*pages.at(kBytes - 1), 7);
  pages.protect(kPage, kPage, PROT_READ);
  EXPECT_EQ(replay(model), ACL_ERROR_RT_PARAM_INVALID);
  pages.protect(kPage, kPage, PROT_READ | PROT_WRITE);
  EXPECT_EQ(replay(model), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

}  // namespace
}  // namespace aclvk::test
