// Contiguous operands: eight elements a thread, of which the last thread has fewer. The lengths are those around a
// thread's, a quad's and a group's; the bytes on both sides of an output must stay what they are.
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "ops/elementwise/binary_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_INT8,  ACL_BOOL,   ACL_FLOAT16, ACL_BF16,      ACL_INT16,     ACL_FLOAT,
                                  ACL_INT32, ACL_DOUBLE, ACL_INT64,   ACL_COMPLEX64, ACL_COMPLEX128};
constexpr std::int64_t kLengths[] = {1,  2,  3,   4,   5,   6,   7,   8,   9,   11,  12,  15,  16,
                                     17, 64, 248, 255, 259, 262, 264, 504, 511, 512, 519, 520, 1016};
constexpr std::int64_t kLastStride = 4096;  // more than a group reaches

class Rows : public OpTest {
 protected:
  static OpTensor row(aclDataType type, std::int64_t length, std::int64_t offset = 0) {
    return OpTensor(type, {length}, {{1}, offset, kLastStride});
  }

  static void check_copy(const OpTensor& self, const OpTensor& src) {
    SCOPED_TRACE("length " + std::to_string(self.count()));
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnInplaceCopyGetWorkspaceSize(self.get(), src.get(), n, e); },
            aclnnInplaceCopy, {&src}, self);
    expect_elements(
        self, bytes, [&](std::int64_t i) { return src.before(src.count() == 1 ? 0 : i); }, true);
  }

  static void check_add(const OpTensor& self, const OpTensor& other, const OpTensor& out) {
    SCOPED_TRACE("length " + std::to_string(out.count()));
    const OpScalar alpha(self.type(), 1);
    const auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnAddGetWorkspaceSize(self.get(), other.get(), alpha.get(), out.get(), n, e); },
            aclnnAdd, {&self, &other}, out);
    expect_sum(self, other, out, bytes);
  }

  static void expect_sum(const OpTensor& self, const OpTensor& other, const OpTensor& out,
                         const std::vector<std::byte>& bytes) {
    const aclDataType type = self.type();
    const auto sum = [&](std::int64_t i) {
      return reference(Meaning::kAdd, self.before(i), other.before(other.count() == 1 ? 0 : i), 1, type);
    };
    expect_elements(out, bytes, sum, is_exact(Meaning::kAdd, type));
  }
};

class RowTypes : public Rows, public testing::WithParamInterface<aclDataType> {};

TEST_P(RowTypes, CopiesEveryLength) {
  for (const std::int64_t length : kLengths) {
    OpTensor src = row(GetParam(), length);
    check_copy(row(GetParam(), length), src.fill_random(41));
  }
}

TEST_P(RowTypes, CopiesFromAndToAnyStart) {
  for (const std::int64_t offset : {1, 2, 4, 8, 32}) {
    for (const std::int64_t length : {8, 13, 70}) {
      OpTensor src = row(GetParam(), length, offset);
      check_copy(row(GetParam(), length), src.fill_random(42));
      check_copy(row(GetParam(), length, offset), src);
      OpTensor aligned = row(GetParam(), length);
      check_copy(row(GetParam(), length, offset), aligned.fill_random(43));
    }
  }
}

TEST_P(RowTypes, RepeatsOneElement) {
  OpTensor src = row(GetParam(), 1, 3);
  src.fill_random(44);
  for (const std::int64_t length : {5, 8, 21}) check_copy(row(GetParam(), length), src);
}

TEST_P(RowTypes, AddsEveryLength) {
  for (const std::int64_t length : kLengths) {
    OpTensor self = row(GetParam(), length);
    OpTensor other = row(GetParam(), length);
    check_add(self.fill_random(45), other.fill_random(46), row(GetParam(), length));
  }
}

// A thread of the end must not compute elements that another one computes, too: it would read what that one wrote.
TEST_P(RowTypes, AddsInPlace) {
  const OpScalar alpha(GetParam(), 1);
  for (const std::int64_t length : {7, 8, 13, 519}) {
    OpTensor self = row(GetParam(), length);
    OpTensor other = row(GetParam(), length);
    self.fill_random(47);
    other.fill_random(48);
    const auto bytes = run(
        [&](auto* n, auto** e) { return aclnnInplaceAddGetWorkspaceSize(self.get(), other.get(), alpha.get(), n, e); },
        aclnnInplaceAdd, {&other}, self);
    expect_sum(self, other, self, bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, RowTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Rows, ConvertBetweenAllSizes) {
  constexpr aclDataType kSizes[] = {ACL_UINT8,  ACL_INT16,     ACL_FLOAT16,   ACL_FLOAT,
                                    ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};
  for (const aclDataType from : kSizes) {
    for (const aclDataType to : kSizes) {
      for (const std::int64_t length : {8, 11, 263}) {
        SCOPED_TRACE(std::to_string(from) + " -> " + std::to_string(to) + ", length " + std::to_string(length));
        OpTensor self = row(from, length);
        self.fill([](std::int64_t i) { return Real(i % 100); });
        const OpTensor out = row(to, length);
        const auto bytes =
            run([&](auto* n, auto** e) { return aclnnCastGetWorkspaceSize(self.get(), to, out.get(), n, e); },
                aclnnCast, {&self}, out);
        expect_elements(
            out, bytes, [&](std::int64_t i) { return self.before(i); }, true);
      }
    }
  }
}

TEST_F(Rows, MayBeLong) {
  for (const std::int64_t length : {131072, 131072 + 4 * 256 + 3, 140001}) {
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
      OpTensor self = row(type, length);
      OpTensor other = row(type, 1);
      self.fill([](std::int64_t i) { return Real(i % 1021); });
      check_add(self, other.fill_random(49), row(type, length));
    }
  }
}

TEST_F(Rows, LieSideBySide) {
  constexpr std::int64_t kCount = 96;
  OpTensor bytes = row(ACL_INT8, kCount);
  bytes.fill([](std::int64_t) { return Real{1}; });
  bytes.upload();
  const OpScalar alpha(ACL_INT8, 1);
  const std::int64_t starts[] = {0, 13, 32, 45, 64, 65, kCount};
  std::vector<aclTensor*> pieces;
  const std::int64_t stride = 1;
  for (std::size_t i = 0; i + 1 < std::size(starts); ++i) {
    const std::int64_t length = starts[i + 1] - starts[i];
    pieces.push_back(
        aclCreateTensor(&length, 1, ACL_INT8, &stride, starts[i], ACL_FORMAT_ND, &kCount, 1, bytes.memory()));
    for (std::size_t times = 0; times <= i; ++times) {
      enqueue(
          [&](auto* n, auto** e) { return aclnnInplaceAddGetWorkspaceSize(pieces[i], pieces[i], alpha.get(), n, e); },
          aclnnInplaceAdd);
    }
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  const auto after = bytes.download();
  for (std::size_t i = 0; i + 1 < std::size(starts); ++i) {
    for (std::int64_t at = starts[i]; at < starts[i + 1]; ++at) EXPECT_EQ(bytes.in(after, at), Number(2 << i)) << at;
  }
  for (aclTensor* piece : pieces) aclDestroyTensor(piece);
}

}  // namespace
}  // namespace aclvk::test
