#include "aclnnop/aclnn_dropout.h"
#include "aclnnop/aclnn_dropout_backward.h"
#include "aclnnop/aclnn_dropout_do_mask.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "aclnnop/aclnn_dropout_v3.h"
#include "aclnnop/aclnn_dropout_v3_grad.h"
#include "ops/random/random_reference.hpp"

namespace aclvk::test {
namespace {

constexpr HostSource kSource{0x0F1E2D3C4B5A6978, 0x700000003};
constexpr auto kSeed = static_cast<int64_t>(kSource.seed);
constexpr auto kOffset = static_cast<int64_t>(kSource.offset);
const std::vector<aclDataType> kTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

std::int64_t bytes_for(std::int64_t elements) { return (elements + 127) / 128 * 16; }

bool is_kept(std::int64_t element, double p) {
  return p <= 0 || (p < 1 && kSource.word(element) >= std::floor(std::ldexp(p, 32)));
}

/// A byte of a mask for elements that are kept or not.
template <typename Kept>
Number byte_of(std::int64_t byte, const Kept& kept) {
  int bits = 0;
  for (int bit = 0; bit < 8; ++bit) bits |= kept(byte * 8 + bit) ? 1 << bit : 0;
  return bits;
}

class Dropping : public OpTest {
 protected:
  static void expect_mask(const OpTensor& mask, const std::vector<std::byte>& bytes, std::int64_t elements, double p) {
    const auto expected = [&](std::int64_t i) {
      return i < bytes_for(elements) ? byte_of(i, [&](std::int64_t n) { return is_kept(n, p); }) : mask.before(i);
    };
    expect_elements(mask, bytes, expected, true);
  }

  static OpTensor& fill_mask(OpTensor& mask) {
    return mask.fill([](std::int64_t i) { return Real((i * 77 + 13) % 256); });
  }
  static bool bit(const OpTensor& mask, std::int64_t element) {
    return (static_cast<int>(mask.before(element / 8).real()) >> element % 8 & 1) != 0;
  }
};

TEST_F(Dropping, MakesMasks) {
  for (const Shape& shape : {Shape{7, 11, 5}, Shape{128}, Shape{129}, Shape{}, Shape{0, 3}, Shape{3001}}) {
    const std::int64_t elements = count_of(shape);
    const OpInts sizes(shape);
    for (const double p : {0.0, 0.25, 0.9, 1.0}) {
      const OpTensor mask(ACL_UINT8, {bytes_for(elements) + 5}, {{1}, 3, 0});
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnDropoutGenMaskGetWorkspaceSize(sizes.get(), p, kSeed, kOffset, mask.get(), n, e);
          },
          aclnnDropoutGenMask, {}, mask);
      expect_mask(mask, bytes, elements, p);
    }
  }
  const OpInts sizes({1000});
  const OpTensor strided(ACL_UINT8, {128}, {{3}, 1, 0});
  for (const aclDataType type : kTypes) {
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnDropoutGenMaskV2GetWorkspaceSize(sizes.get(), 0.3, kSeed, kOffset, type, strided.get(), n, e);
        },
        aclnnDropoutGenMaskV2, {}, strided);
    expect_mask(strided, bytes, 1000, static_cast<double>(rounded(0.3L, type).real()));
  }
}

TEST_F(Dropping, MakesMasksFromSeedsInMemory) {
  const OpInts sizes({40, 25});
  const OpNumber seed(kSource.seed);
  const OpNumber offset(kSource.offset - 9);
  const OpTensor mask(ACL_UINT8, {128});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnDropoutGenMaskV2TensorGetWorkspaceSize(sizes.get(), 0.5, seed.get(), offset.get(), 9, ACL_FLOAT,
                                                           mask.get(), n, e);
      },
      aclnnDropoutGenMaskV2Tensor, {}, mask);
  expect_mask(mask, bytes, 1000, 0.5);
}

TEST_F(Dropping, KeepsAsManyAsItShould) {
  constexpr std::int64_t kCount = 1 << 17;
  const OpInts sizes({kCount});
  const OpTensor mask(ACL_UINT8, {kCount / 8});
  for (const double p : {0.1, 0.5, 0.75}) {
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnDropoutGenMaskGetWorkspaceSize(sizes.get(), p, kSeed, kOffset, mask.get(), n, e);
        },
        aclnnDropoutGenMask, {}, mask);
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < mask.count(); ++i) {
      kept += __builtin_popcount(static_cast<unsigned>(mask.in(bytes, i).real()));
    }
    EXPECT_NEAR(double(kept), kCount * (1 - p), 5 * std::sqrt(kCount * p * (1 - p)));
  }
}

TEST_F(Dropping, AppliesMasks) {
  for (const aclDataType type : kTypes) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    OpTensor self(type, {7, 11, 5}, {{1, 70, 8}, 2});
    self.fill_random(1).fill(
        [&](std::int64_t i) { return i % 50 == 3 ? Number(std::numeric_limits<Real>::infinity()) : self.before(i); });
    OpTensor mask(ACL_UINT8, {64}, {{3}, 1, 0});
    fill_mask(mask);
    const OpTensor out(type, {7, 11, 5});
    const auto expected = [&](Real scale) {
      return [&, scale](std::int64_t i) { return bit(mask, i) ? self.before(i) * scale : Number(0); };
    };
    auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnDropoutDoMaskGetWorkspaceSize(self.get(), mask.get(), 0.2, out.get(), n, e); },
            aclnnDropoutDoMask, {&self, &mask}, out);
    expect_elements(out, bytes, expected(1.25L), false);
    bytes =
        run([&](auto* n,
                auto** e) { return aclnnDropoutBackwardGetWorkspaceSize(self.get(), mask.get(), 3, out.get(), n, e); },
            aclnnDropoutBackward, {&self, &mask}, out);
    expect_elements(out, bytes, expected(3), false);
    bytes =
        run([&](auto* n,
                auto** e) { return aclnnDropoutV3GradGetWorkspaceSize(self.get(), mask.get(), 0.5, out.get(), n, e); },
            aclnnDropoutV3Grad, {&self, &mask}, out);
    expect_elements(out, bytes, expected(0.5L), false);
  }
  OpTensor half(ACL_FLOAT, {1009});
  OpTensor mask(ACL_UINT8, {128});
  fill_mask(mask);
  half.fill_random(2);
  const auto bytes =
      run([&](auto* n,
              auto** e) { return aclnnDropoutDoMaskGetWorkspaceSize(half.get(), mask.get(), 0.5, half.get(), n, e); },
          aclnnDropoutDoMask, {&mask}, half);
  const auto kept = [&](std::int64_t i) { return bit(mask, i) ? half.before(i) * Real(2) : Number(0); };
  expect_elements(half, bytes, kept, false);
  // The same bytes as those of a BOOL tensor, as torch has them.
  const std::int64_t size = 128;
  aclTensor* truths = aclCreateTensor(&size, 1, ACL_BOOL, nullptr, 0, ACL_FORMAT_ND, &size, 1, mask.memory());
  mask.also(truths);
  const auto by_truths = run(
      [&](auto* n, auto** e) { return aclnnDropoutDoMaskGetWorkspaceSize(half.get(), truths, 0.5, half.get(), n, e); },
      aclnnDropoutDoMask, {&mask}, half);
  expect_elements(half, by_truths, kept, false);
  aclDestroyTensor(truths);
}

TEST_F(Dropping, DropsElements) {
  for (const aclDataType type : kTypes) {
    for (const double p : {0.0, 0.4, 1.0}) {
      for (const bool train : {true, false}) {
        SCOPED_TRACE("dtype " + std::to_string(type) + ", p " + std::to_string(p));
        OpTensor self(type, {7, 61}, {{62, 1}, 1});
        self.fill_random(3);
        const OpTensor out(type, {7, 61});
        const OpTensor mask(ACL_UINT8, {bytes_for(427)});
        const double dropped = train ? p : 0;
        const auto expected = [&](std::int64_t i) {
          return is_kept(i, dropped) ? self.before(i) / Real(1 - dropped) : Number(0);
        };
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnDropoutGetWorkspaceSize(self.get(), p, train, kSeed, kOffset, out.get(), mask.get(), n, e);
            },
            aclnnDropout, {&self, &mask}, out);
        expect_elements(out, bytes, expected, dropped == 0);
        expect_mask(mask, mask.download(), 427, dropped);
      }
      OpTensor self(type, {427});
      self.fill_random(4);
      const OpTensor out(type, {427});
      const OpTensor mask(ACL_UINT8, {bytes_for(427)});
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnDropoutV3GetWorkspaceSize(self.get(), nullptr, p, kSeed, kOffset, out.get(), mask.get(), n, e);
          },
          aclnnDropoutV3, {&self, &mask}, out);
      expect_elements(
          out, bytes, [&](std::int64_t i) { return is_kept(i, p) ? self.before(i) / Real(1 - p) : Number(0); }, false);
      expect_mask(mask, mask.download(), 427, p);
    }
  }
}

TEST_F(Dropping, DropsWholeSlices) {
  OpTensor self(ACL_FLOAT, {5, 7, 11});
  self.fill_random(5);
  OpTensor noise(ACL_INT64, {3});
  const Shape sizes = {5, 1, 11};
  noise.fill([&](std::int64_t i) { return Real(sizes[static_cast<std::size_t>(i)]); });
  const OpTensor out(ACL_FLOAT, {5, 7, 11});
  const OpTensor mask(ACL_UINT8, {bytes_for(385)});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnDropoutV3GetWorkspaceSize(self.get(), noise.get(), 0.5, kSeed, kOffset, out.get(), mask.get(), n,
                                              e);
      },
      aclnnDropoutV3, {&self, &noise, &mask}, out);
  const auto kept = [](std::int64_t i) { return is_kept(i / 77 * 11 + i % 11, 0.5); };
  expect_elements(
      out, bytes, [&](std::int64_t i) { return kept(i) ? self.before(i) * Real(2) : Number(0); }, false);
  const auto made = mask.download();
  for (std::int64_t i = 0; i < 385; ++i) {
    EXPECT_EQ((static_cast<int>(mask.in(made, i / 8).real()) >> i % 8 & 1) != 0, kept(i)) << i;
  }
}

TEST_F(Dropping, DropsInPlace) {
  for (const double p : {0.0, 0.5}) {
    OpTensor self(ACL_FLOAT, {300});
    self.fill_random(7);
    const OpTensor mask(ACL_UINT8, {bytes_for(300)});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnDropoutGetWorkspaceSize(self.get(), p, true, kSeed, kOffset, self.get(), mask.get(), n, e);
        },
        aclnnDropout, {&mask}, self);
    expect_elements(
        self, bytes, [&](std::int64_t i) { return is_kept(i, p) ? self.before(i) / Real(1 - p) : Number(0); }, true);
  }
}

TEST_F(Dropping, OfScalarsAndOfNothing) {
  OpTensor scalar(ACL_FLOAT, {});
  scalar.fill_random(6);
  const OpTensor out(ACL_FLOAT, {});
  const OpTensor mask(ACL_UINT8, {16});
  auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnDropoutGetWorkspaceSize(scalar.get(), 0.5, true, kSeed, kOffset, out.get(), mask.get(), n, e);
      },
      aclnnDropout, {&scalar, &mask}, out);
  EXPECT_EQ(out.in(bytes, 0), is_kept(0, 0.5) ? scalar.before(0) * Real(2) : Number(0));
  const OpTensor empty(ACL_FLOAT, {0, 3});
  const OpTensor nothing(ACL_FLOAT, {0, 3});
  const OpTensor no_mask(ACL_UINT8, {0});
  run(
      [&](auto* n, auto** e) {
        return aclnnDropoutGetWorkspaceSize(empty.get(), 0.5, true, kSeed, kOffset, nothing.get(), no_mask.get(), n, e);
      },
      aclnnDropout, {&empty, &no_mask}, nothing);
  run(
      [&](auto* n, auto** e) {
        return aclnnDropoutDoMaskGetWorkspaceSize(empty.get(), no_mask.get(), 0.5, nothing.get(), n, e);
      },
      aclnnDropoutDoMask, {&empty, &no_mask}, nothing);
}

TEST_F(Dropping, RefusesWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {130});
  const OpTensor doubles(ACL_DOUBLE, {130});
  const OpTensor half(ACL_FLOAT16, {130});
  const OpTensor other(ACL_FLOAT, {13, 10});
  const OpTensor out(ACL_FLOAT, {130});
  const OpTensor mask(ACL_UINT8, {32});
  const OpTensor small(ACL_UINT8, {31});
  const OpTensor bools(ACL_BOOL, {32});
  const OpTensor noise(ACL_INT64, {2});
  const OpNumber number(1);
  const OpInts sizes({130});
  const OpInts negative({-1});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto get = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
  const auto dropout = [&](const OpTensor* x, double p, const OpTensor* y, const OpTensor* m) {
    return aclnnDropoutGetWorkspaceSize(get(x), p, true, 1, 0, get(y), get(m), &n, &e);
  };
  EXPECT_EQ(dropout(nullptr, 0.5, &out, &mask), 161001);
  EXPECT_EQ(dropout(&self, 0.5, nullptr, &mask), 161001);
  EXPECT_EQ(dropout(&self, 0.5, &out, nullptr), 161001);
  EXPECT_EQ(dropout(&doubles, 0.5, &doubles, &mask), 161002);
  EXPECT_EQ(dropout(&self, 0.5, &half, &mask), 161002);
  EXPECT_EQ(dropout(&self, 0.5, &other, &mask), 161002);
  EXPECT_EQ(dropout(&self, 0.5, &out, &small), 161002);
  EXPECT_EQ(dropout(&self, 0.5, &out, &bools), 161002);
  EXPECT_EQ(dropout(&self, -0.1, &out, &mask), 161002);
  EXPECT_EQ(dropout(&self, 1.1, &out, &mask), 161002);
  EXPECT_EQ(dropout(&self, std::nan(""), &out, &mask), 161002);
  EXPECT_EQ(aclnnDropoutV3GetWorkspaceSize(self.get(), noise.get(), 0.5, 1, 0, out.get(), mask.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnDropoutV3GetWorkspaceSize(self.get(), out.get(), 0.5, 1, 0, out.get(), mask.get(), &n, &e), 161002);
  const auto gen_mask = [&](const OpInts* shape, double p, const OpTensor* m) {
    return aclnnDropoutGenMaskGetWorkspaceSize(shape ? shape->get() : nullptr, p, 1, 0, get(m), &n, &e);
  };
  EXPECT_EQ(gen_mask(nullptr, 0.5, &mask), 161001);
  EXPECT_EQ(gen_mask(&sizes, 0.5, nullptr), 161001);
  EXPECT_EQ(gen_mask(&negative, 0.5, &mask), 161002);
  EXPECT_EQ(gen_mask(&sizes, 2, &mask), 161002);
  EXPECT_EQ(gen_mask(&sizes, 0.5, &small), 161002);
  EXPECT_EQ(gen_mask(&sizes, 0.5, &bools), 161002);
  EXPECT_EQ(aclnnDropoutGenMaskV2GetWorkspaceSize(sizes.get(), 0.5, 1, 0, ACL_DOUBLE, mask.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnDropoutGenMaskV2TensorGetWorkspaceSize(sizes.get(), 0.5, nullptr, number.get(), 0, ACL_FLOAT,
                                                        mask.get(), &n, &e),
            161001);
  EXPECT_EQ(aclnnDropoutGenMaskV2TensorGetWorkspaceSize(sizes.get(), 0.5, number.get(), noise.get(), 0, ACL_FLOAT,
                                                        mask.get(), &n, &e),
            161002);
  const auto do_mask = [&](const OpTensor* x, const OpTensor* m, double p, const OpTensor* y) {
    return aclnnDropoutDoMaskGetWorkspaceSize(get(x), get(m), p, get(y), &n, &e);
  };
  EXPECT_EQ(do_mask(nullptr, &mask, 0.5, &out), 161001);
  EXPECT_EQ(do_mask(&self, nullptr, 0.5, &out), 161001);
  EXPECT_EQ(do_mask(&self, &mask, 0.5, nullptr), 161001);
  EXPECT_EQ(do_mask(&self, &small, 0.5, &out), 161002);
  EXPECT_EQ(do_mask(&self, &mask, -0.5, &out), 161002);
  EXPECT_EQ(do_mask(&self, &mask, 0.5, &half), 161002);
  EXPECT_EQ(do_mask(&self, &mask, 0.5, &other), 161002);
  EXPECT_EQ(aclnnDropoutBackwardGetWorkspaceSize(self.get(), half.get(), 2, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnDropoutV3GradGetWorkspaceSize(nullptr, mask.get(), 2, out.get(), &n, &e), 161001);
}

}  // namespace
}  // namespace aclvk::test
