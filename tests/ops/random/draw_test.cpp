#include "aclnnop/aclnn_bernoulli.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_normal_out.h"
#include "aclnnop/aclnn_rrelu_with_noise.h"
#include "aclnnop/aclnn_sim_thread_exponential.h"
#include "aclnnop/aclnn_uniform.h"
#include "ops/random/random_reference.hpp"

namespace aclvk::test {
namespace {

constexpr HostSource kSource{0x0123456789ABCDEF, 0x100000007};
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

const std::vector<aclDataType> kUniformTypes = {ACL_FLOAT, ACL_INT32, ACL_INT64, ACL_BF16,  ACL_FLOAT16,
                                                ACL_INT16, ACL_INT8,  ACL_UINT8, ACL_DOUBLE};
const std::vector<aclDataType> kNormalTypes = {ACL_FLOAT, ACL_INT32, ACL_INT64, ACL_BF16, ACL_FLOAT16,
                                               ACL_INT16, ACL_INT8,  ACL_UINT8, ACL_BOOL, ACL_DOUBLE};
const std::vector<aclDataType> kBernoulliTypes = {ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_UINT8, ACL_INT8,
                                                  ACL_INT16,   ACL_INT32, ACL_INT64,  ACL_BOOL,  ACL_BF16};
const std::vector<aclDataType> kReals = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

/// A real number as the operators cast it: towards zero, to the nearest that the dtype holds.
Number cast(Real value, aclDataType type) {
  if (type == ACL_BOOL) return value != 0 ? 1 : 0;
  if (!is_integer(type)) return rounded(value, type);
  const auto facts = facts_of(type);
  const Real highest = std::ldexp(Real(1), facts.bits - (facts.is_signed ? 1 : 0)) - 1;
  const Real lowest = facts.is_signed ? -highest - 1 : 0;
  return std::min(std::max(std::trunc(value), lowest), highest);
}

class Drawing : public OpTest {
 protected:
  static std::vector<std::byte> uniform(const OpTensor& self, double from, double to, HostSource source) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnInplaceUniformGetWorkspaceSize(self.get(), from, to, source.seed, source.offset, n, e);
        },
        aclnnInplaceUniform, {}, self);
  }
  static std::vector<std::byte> normal(const OpTensor& self, float mean, float deviation, HostSource source) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnInplaceNormalGetWorkspaceSize(self.get(), mean, deviation, static_cast<int64_t>(source.seed),
                                                    static_cast<int64_t>(source.offset), n, e);
        },
        aclnnInplaceNormal, {}, self);
  }
  static std::vector<std::byte> exponential(const OpTensor& self, std::int64_t count, double lambda) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnSimThreadExponentialGetWorkspaceSize(self.get(), count, lambda,
                                                           static_cast<int64_t>(kSource.seed),
                                                           static_cast<int64_t>(kSource.offset), n, e);
        },
        aclnnSimThreadExponential, {}, self);
  }

  /// The layouts in which each element must get its own number.
  static std::vector<std::unique_ptr<OpTensor>> layouts(aclDataType type) {
    std::vector<std::unique_ptr<OpTensor>> all;
    all.push_back(std::make_unique<OpTensor>(type, Shape{1009}));
    all.push_back(std::make_unique<OpTensor>(type, Shape{7, 11, 5}, View{{1, 70, 7}, 3, 0}));
    if (type != ACL_FLOAT && type != ACL_INT64) return all;
    all.push_back(std::make_unique<OpTensor>(type, Shape{13, 6}, View{{7, 1}, 2, 0}));
    all.push_back(std::make_unique<OpTensor>(type, Shape{}));
    all.push_back(std::make_unique<OpTensor>(type, Shape{0, 3}));
    return all;
  }

  static Real uniform_number(std::int64_t i, Real from, Real to, aclDataType type) {
    const Real unit = kSource.unit(i, is_wide(type));
    if (is_wide(type)) {
      const double value = static_cast<double>(from) + static_cast<double>(unit) * static_cast<double>(to - from);
      return value;
    }
    const float value = static_cast<float>(from) + static_cast<float>(unit) * static_cast<float>(to - from);
    const Real near = is_integer(type) ? Real(value) : rounded(Real(value), type).real();
    return near >= to ? from : Real(value);
  }
};

TEST_F(Drawing, TheReferenceIsPhilox) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block4{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Block4{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(philox({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}),
            (Block4{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST_F(Drawing, UniformNumbersAreThoseOfTheGenerator) {
  for (const aclDataType type : kUniformTypes) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    for (const auto& self : layouts(type)) {
      const auto bytes = uniform(*self, 1, 101, kSource);
      expect_elements(
          *self, bytes, [&](std::int64_t i) { return cast(uniform_number(i, 1, 101, type), type); }, false);
    }
  }
}

TEST_F(Drawing, UniformNumbersFillTheirRangeEvenly) {
  for (const aclDataType type : kReals) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    const OpTensor self(type, {30011});
    const auto numbers = numbers_in(self, uniform(self, -1, 3, kSource));
    EXPECT_GE(*std::min_element(numbers.begin(), numbers.end()), -1.0);
    EXPECT_LT(*std::max_element(numbers.begin(), numbers.end()), 3.0) << "the end is excluded, also when rounding";
    EXPECT_NEAR(mean_of(numbers), 1, 5 * 4 / std::sqrt(12.0 * 30011));
    EXPECT_NEAR(correlation_of_neighbours(numbers), 0, 5 / std::sqrt(30011.0));
    if (type == ACL_FLOAT || type == ACL_DOUBLE) {
      EXPECT_LT(kolmogorov(numbers, [](double x) { return (x + 1) / 4; }), 1.95);
    }
  }
}

TEST_F(Drawing, UniformNumbersStayBelowAnEndThatTheDtypeDoesNotHold) {
  // 0.3 is between the halves 0.2998 and 0.30005, to the second of which a third of these numbers would be rounded.
  const OpTensor self(ACL_FLOAT16, {1009});
  for (const double number : numbers_in(self, uniform(self, 0.2998, 0.3, kSource))) EXPECT_LT(number, 0.3);
}

TEST_F(Drawing, SeedsAndOffsetsChangeAllNumbers) {
  const OpTensor self(ACL_FLOAT, {4001});
  const auto first = numbers_in(self, uniform(self, 0, 1, {5, 0}));
  EXPECT_EQ(first, numbers_in(self, uniform(self, 0, 1, {5, 0})));
  for (const HostSource& other : {HostSource{6, 0}, HostSource{5, 1}, HostSource{5, 1000}, HostSource{5, 4}}) {
    const auto second = numbers_in(self, uniform(self, 0, 1, other));
    std::vector<double> product;
    for (std::size_t i = 0; i < first.size(); ++i) product.push_back((first[i] - 0.5) * (second[i] - 0.5));
    EXPECT_NEAR(mean_of(product), 0, 5 / 12.0 / std::sqrt(4001.0));
    auto sorted = first;
    sorted.insert(sorted.end(), second.begin(), second.end());
    std::sort(sorted.begin(), sorted.end());
    EXPECT_LT(sorted.end() - std::unique(sorted.begin(), sorted.end()), 20) << "numbers of one are those of the other";
  }
}

TEST_F(Drawing, FromOneNumberToItself) {
  const OpTensor self(ACL_FLOAT, {101});
  for (const double number : numbers_in(self, uniform(self, 2.5, 2.5, kSource))) EXPECT_EQ(number, 2.5);
}

TEST_F(Drawing, NormalNumbersAreThoseOfTheGenerator) {
  for (const aclDataType type : kNormalTypes) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    for (const auto& self : layouts(type)) {
      const auto bytes = normal(*self, 1.5F, 20, kSource);
      std::int64_t others = 0;
      for (std::int64_t i = 0; i < self->count(); ++i) {
        const Number expected = cast(1.5L + 20 * kSource.normal(i, is_wide(type)), type);
        const Number got = self->in(bytes, i);
        // A number that is cast to an integer may be so near to one that the last bit decides.
        if (is_integer(type) && got != expected && std::fabs(got.real() - expected.real()) <= 1)
          ++others;
        else
          EXPECT_TRUE(is_close(got, expected, type)) << i << ": " << text_of(got) << ", " << text_of(expected);
      }
      EXPECT_LE(others, 1);
    }
  }
}

TEST_F(Drawing, NormalNumbersHaveTheirMoments) {
  const double root = std::sqrt(40009.0);
  for (const aclDataType type : kReals) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    const OpTensor self(type, {40009});
    auto numbers = numbers_in(self, normal(self, 0, 1, kSource));
    EXPECT_NEAR(mean_of(numbers), 0, 5 / root);
    EXPECT_NEAR(deviation_of(numbers), 1, 5 / root);
    EXPECT_NEAR(correlation_of_neighbours(numbers), 0, 5 / root);
    if (type == ACL_FLOAT || type == ACL_DOUBLE) {
      EXPECT_LT(kolmogorov(numbers, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }), 1.95);
    }
    for (double& number : numbers) number = std::pow(number, 4);
    EXPECT_NEAR(mean_of(numbers), 3, 5 * std::sqrt(96.0) / root);
  }
  const OpTensor constant(ACL_FLOAT, {77});
  for (const double number : numbers_in(constant, normal(constant, 3, 0, kSource))) EXPECT_EQ(number, 3);
}

TEST_F(Drawing, NormalNumbersOfTensors) {
  for (const aclDataType type : kReals) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    OpTensor means(type, {7, 1, 5}, {{11, 3, 1}, 1});
    OpTensor deviations(type, {11, 5});
    means.fill_random(1);
    deviations.fill([](std::int64_t i) { return Real(i % 7) / 4; });
    const OpTensor out(type, {7, 11, 5}, {{70, 1, 12}, 2});
    const auto seed = static_cast<int64_t>(kSource.seed);
    const auto offset = static_cast<int64_t>(kSource.offset);
    const auto expect = [&](const OpTensor& result, const std::vector<std::byte>& bytes, const auto& mean,
                            const auto& deviation) {
      expect_elements(
          result, bytes,
          [&](std::int64_t i) { return Number(mean(i) + deviation(i) * kSource.normal(i, is_wide(type))); }, false);
    };
    const auto mean_at = [&](std::int64_t i) { return means.before(source_of(i, out.shape(), means.shape())).real(); };
    const auto deviation_at = [&](std::int64_t i) {
      return deviations.before(source_of(i, out.shape(), deviations.shape())).real();
    };
    auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnNormalTensorTensorGetWorkspaceSize(means.get(), deviations.get(), seed, offset, out.get(), n, e);
        },
        aclnnNormalTensorTensor, {&means, &deviations}, out);
    expect(out, bytes, mean_at, deviation_at);
    const OpTensor flat(type, {11, 5});
    bytes = run(
        [&](auto* n, auto** e) {
          return aclnnNormalFloatTensorGetWorkspaceSize(0.5F, deviations.get(), seed, offset, flat.get(), n, e);
        },
        aclnnNormalFloatTensor, {&deviations}, flat);
    expect(
        flat, bytes, [](std::int64_t) { return 0.5L; }, [&](std::int64_t i) { return deviations.before(i).real(); });
    const OpTensor tall(type, {7, 1, 5});
    bytes = run(
        [&](auto* n, auto** e) {
          return aclnnNormalTensorFloatGetWorkspaceSize(means.get(), 0.25F, seed, offset, tall.get(), n, e);
        },
        aclnnNormalTensorFloat, {&means}, tall);
    expect(
        tall, bytes, [&](std::int64_t i) { return means.before(i).real(); }, [](std::int64_t) { return 0.25L; });
    bytes = run(
        [&](auto* n, auto** e) { return aclnnNormalFloatFloatGetWorkspaceSize(-1, 2, seed, offset, flat.get(), n, e); },
        aclnnNormalFloatFloat, {}, flat);
    expect(
        flat, bytes, [](std::int64_t) { return -1.0L; }, [](std::int64_t) { return 2.0L; });
  }
}

TEST_F(Drawing, HappensWithAProbability) {
  const auto seed = static_cast<int64_t>(kSource.seed);
  const auto offset = static_cast<int64_t>(kSource.offset);
  for (const aclDataType type : kBernoulliTypes) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    for (const double p : {0.0, 1.0, 0.3}) {
      const OpScalar probability(ACL_DOUBLE, p);
      const auto happens = [&](std::int64_t i) {
        return Number(is_wide(type) ? kSource.unit(i, true) < p
                                    : p == 1 || kSource.word(i) < std::ldexp(Real(static_cast<float>(p)), 32));
      };
      for (const auto& self : layouts(type)) {
        auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnInplaceBernoulliGetWorkspaceSize(self->get(), probability.get(), seed, offset, n, e);
            },
            aclnnInplaceBernoulli, {}, *self);
        expect_elements(*self, bytes, happens, true);
        const OpTensor out(type, self->shape());
        bytes = run(
            [&](auto* n, auto** e) {
              return aclnnBernoulliGetWorkspaceSize(self->get(), probability.get(), seed, offset, out.get(), n, e);
            },
            aclnnBernoulli, {self.get()}, out);
        expect_elements(out, bytes, happens, true);
      }
    }
  }
}

TEST_F(Drawing, HappensWithTheProbabilitiesOfATensor) {
  const auto seed = static_cast<int64_t>(kSource.seed);
  const auto offset = static_cast<int64_t>(kSource.offset);
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_BOOL}) {
    for (const aclDataType of : kReals) {
      SCOPED_TRACE("dtypes " + std::to_string(type) + " and " + std::to_string(of));
      const bool wide = is_wide(type) || of == ACL_DOUBLE;
      OpTensor probabilities(of, {11, 5});
      probabilities.fill([](std::int64_t i) { return Real(i % 9) / 8; });
      const OpTensor self(type, {7, 11, 5});
      const OpTensor out(type, {7, 11, 5});
      const auto happens = [&](std::int64_t i) {
        const Real p = probabilities.before(i % 55).real();
        return Number(wide ? kSource.unit(i, true) < p : p >= 1 || kSource.word(i) < std::ldexp(p, 32));
      };
      auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnBernoulliTensorGetWorkspaceSize(self.get(), probabilities.get(), seed, offset, out.get(), n, e);
          },
          aclnnBernoulliTensor, {&self, &probabilities}, out);
      expect_elements(out, bytes, happens, true);
      bytes = run(
          [&](auto* n, auto** e) {
            return aclnnInplaceBernoulliTensorGetWorkspaceSize(self.get(), probabilities.get(), seed, offset, n, e);
          },
          aclnnInplaceBernoulliTensor, {&probabilities}, self);
      expect_elements(self, bytes, happens, true);
    }
  }
}

TEST_F(Drawing, ExponentialNumbers) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    const OpTensor self(type, {30011});
    const auto bytes = exponential(self, 30011, 0.5);
    expect_elements(
        self, bytes, [&](std::int64_t i) { return Number(kSource.exponential(i, false) / 0.5L); }, false);
    const auto numbers = numbers_in(self, bytes);
    EXPECT_GT(*std::min_element(numbers.begin(), numbers.end()), 0.0);
    if (type != ACL_FLOAT) continue;
    EXPECT_LT(kolmogorov(numbers, [](double x) { return 1 - std::exp(-x / 2); }), 1.95);
  }
  const OpTensor part(ACL_FLOAT, {3, 5});
  const auto bytes = exponential(part, 7, 1);
  for (std::int64_t i = 0; i < 15; ++i) {
    EXPECT_TRUE(is_close(part.in(bytes, i), i < 7 ? Number(kSource.exponential(i, false)) : part.before(i), ACL_FLOAT));
  }
}

TEST_F(Drawing, SlopesOfRRelu) {
  const auto seed = static_cast<int64_t>(kSource.seed);
  const auto offset = static_cast<int64_t>(kSource.offset);
  const OpScalar lower(ACL_FLOAT, 0.125);
  const OpScalar upper(ACL_FLOAT, 0.375);
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool training : {true, false}) {
      SCOPED_TRACE("dtype " + std::to_string(type) + (training ? ", training" : ""));
      OpTensor self(type, {7, 31}, {{33, 1}, 2});
      self.fill_random(3).fill([&](std::int64_t i) { return i == 4 ? Number(kNan) : i == 5 ? 0 : self.before(i); });
      const OpTensor noise(type, {7, 31}, {{1, 8}, 1});
      const OpTensor out(type, {7, 31});
      const auto slope = [&](std::int64_t i) -> Real {
        if (!(self.before(i).real() <= 0)) return 1;
        return training ? rounded(uniform_number(i, 0.125L, 0.375L, type), type).real() : 0.25L;
      };
      const auto product = [&](std::int64_t i) { return Number(self.before(i).real() * slope(i)); };
      auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnRReluWithNoiseGetWorkspaceSize(self.get(), noise.get(), lower.get(), upper.get(), training,
                                                       seed, offset, out.get(), n, e);
          },
          aclnnRReluWithNoise, {&self, &noise}, out);
      expect_elements(out, bytes, product, false);
      const auto slopes = noise.download();
      expect_elements(
          noise, slopes, [&](std::int64_t i) { return training ? Number(slope(i)) : noise.before(i); }, false);
      bytes = run(
          [&](auto* n, auto** e) {
            return aclnnInplaceRReluWithNoiseGetWorkspaceSize(self.get(), noise.get(), lower.get(), upper.get(),
                                                              training, seed, offset, n, e);
          },
          aclnnInplaceRReluWithNoise, {&noise}, self);
      expect_elements(self, bytes, product, false);
    }
  }
}

TEST_F(Drawing, SeedAndOffsetInMemory) {
  const OpNumber seed(kSource.seed);
  const OpNumber offset(kSource.offset - 3, ACL_UINT64);
  const OpTensor self(ACL_FLOAT, {1009});
  // The numbers are uploaded once, not by run(), which would restore what the tensors held at first.
  auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnInplaceUniformTensorGetWorkspaceSize(self.get(), 0, 1, seed.get(), offset.get(), 3, n, e);
      },
      aclnnInplaceUniformTensor, {}, self);
  expect_elements(
      self, bytes, [&](std::int64_t i) { return Number(kSource.unit(i, false)); }, true);
  bytes = run(
      [&](auto* n, auto** e) {
        return aclnnInplaceNormalTensorGetWorkspaceSize(self.get(), 1, 2, seed.get(), offset.get(), 3, n, e);
      },
      aclnnInplaceNormalTensor, {}, self);
  expect_elements(
      self, bytes, [&](std::int64_t i) { return Number(1 + 2 * kSource.normal(i, false)); }, false);
}

TEST_F(Drawing, ReplaysReadTheOffsetAgain) {
  const OpNumber seed(7);
  const OpNumber offset(0);
  const OpTensor self(ACL_FLOAT, {301});
  self.upload();
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
  enqueue(
      [&](auto* n, auto** e) {
        return aclnnInplaceUniformTensorGetWorkspaceSize(self.get(), 0, 1, seed.get(), offset.get(), 2, n, e);
      },
      aclnnInplaceUniformTensor);
  ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0);
  for (const std::uint64_t now : {0, 4, 1000}) {
    offset.set(now);
    ASSERT_EQ(aclmdlRIExecuteAsync(model, stream()), 0);
    ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
    const HostSource source{7, now + 2};
    expect_elements(
        self, self.download(), [&](std::int64_t i) { return Number(source.unit(i, false)); }, true);
  }
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Drawing, TensorsAreNumberedAsTheParametersAre) {
  const OpTensor deviations(ACL_FLOAT, {5});
  const OpTensor out(ACL_FLOAT, {5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnNormalFloatTensorGetWorkspaceSize(1, deviations.get(), 1, 0, out.get(), &size, &executor), 0);
  EXPECT_EQ(aclSetInputTensorAddr(executor, 0, deviations.get(), deviations.memory()), 0);
  EXPECT_EQ(aclSetInputTensorAddr(executor, 1, deviations.get(), deviations.memory()), 161002);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  ASSERT_EQ(aclnnInplaceBernoulliTensorGetWorkspaceSize(out.get(), deviations.get(), 1, 0, &size, &executor), 0);
  EXPECT_EQ(aclSetInputTensorAddr(executor, 0, deviations.get(), deviations.memory()), 0);
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 0, out.get(), out.memory()), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

class RefusedDrawing : public Drawing {
 protected:
  const OpTensor self{ACL_FLOAT, {3, 7}};
  const OpTensor other{ACL_FLOAT, {7, 3}};
  const OpTensor complex{ACL_COMPLEX64, {3, 7}};
  const OpTensor narrow{ACL_INT32, {1}};
  const OpTensor two{ACL_INT64, {2}};
  const OpScalar p{ACL_FLOAT, 0.5};
  const OpScalar above{ACL_FLOAT, 1.5};
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;

  static aclTensor* get(const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; }
  static aclScalar* get(const OpScalar* scalar) { return scalar ? scalar->get() : nullptr; }
};

TEST_F(RefusedDrawing, OfUniformNumbers) {
  const OpNumber number(1);
  EXPECT_EQ(aclnnInplaceUniformGetWorkspaceSize(nullptr, 0, 1, 1, 0, &n, &e), 161001);
  EXPECT_EQ(aclnnInplaceUniformGetWorkspaceSize(self.get(), 0, 1, 1, 0, nullptr, &e), 161001);
  EXPECT_EQ(aclnnInplaceUniformGetWorkspaceSize(self.get(), 0, 1, 1, 0, &n, nullptr), 161001);
  EXPECT_EQ(aclnnInplaceUniformGetWorkspaceSize(complex.get(), 0, 1, 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnInplaceUniformGetWorkspaceSize(self.get(), 2, 1, 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnInplaceUniformGetWorkspaceSize(self.get(), 0, double(kNan), 1, 0, &n, &e), 161002);
  const auto uniform = [&](const OpTensor* seed, const OpTensor* offset) {
    return aclnnInplaceUniformTensorGetWorkspaceSize(self.get(), 0, 1, get(seed), get(offset), 0, &n, &e);
  };
  EXPECT_EQ(uniform(nullptr, &number), 161001);
  EXPECT_EQ(uniform(&number, nullptr), 161001);
  EXPECT_EQ(uniform(&narrow, &number), 161002);
  EXPECT_EQ(uniform(&number, &two), 161002);
}

TEST_F(RefusedDrawing, OfNormalNumbers) {
  EXPECT_EQ(aclnnInplaceNormalGetWorkspaceSize(self.get(), 0, -1, 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnInplaceNormalGetWorkspaceSize(self.get(), 0, float(kNan), 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnInplaceNormalGetWorkspaceSize(complex.get(), 0, 1, 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnNormalFloatFloatGetWorkspaceSize(0, -1, 1, 0, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnNormalFloatFloatGetWorkspaceSize(0, 1, 1, 0, nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnNormalFloatFloatGetWorkspaceSize(0, 1, 1, 0, two.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnNormalTensorTensorGetWorkspaceSize(self.get(), other.get(), 1, 0, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnNormalTensorTensorGetWorkspaceSize(nullptr, self.get(), 1, 0, self.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnNormalTensorFloatGetWorkspaceSize(self.get(), 1, 1, 0, other.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnNormalFloatTensorGetWorkspaceSize(1, narrow.get(), 1, 0, self.get(), &n, &e), 161002);
}

TEST_F(RefusedDrawing, OfWhatHappensWithAProbability) {
  const OpScalar below(ACL_DOUBLE, -0.1);
  const OpScalar none(ACL_FLOAT, kNan);
  const auto bernoulli = [&](const OpScalar* prob, const OpTensor* out) {
    return aclnnBernoulliGetWorkspaceSize(self.get(), get(prob), 1, 0, get(out), &n, &e);
  };
  EXPECT_EQ(bernoulli(nullptr, &self), 161001);
  EXPECT_EQ(bernoulli(&p, nullptr), 161001);
  EXPECT_EQ(bernoulli(&above, &self), 161002);
  EXPECT_EQ(bernoulli(&below, &self), 161002);
  EXPECT_EQ(bernoulli(&none, &self), 161002);
  EXPECT_EQ(bernoulli(&p, &other), 161002);
  EXPECT_EQ(bernoulli(&p, &complex), 161002);
  EXPECT_EQ(aclnnInplaceBernoulliTensorGetWorkspaceSize(self.get(), other.get(), 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnInplaceBernoulliTensorGetWorkspaceSize(self.get(), nullptr, 1, 0, &n, &e), 161001);
}

TEST_F(RefusedDrawing, OfExponentialNumbers) {
  EXPECT_EQ(aclnnSimThreadExponentialGetWorkspaceSize(self.get(), 21, 0, 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnSimThreadExponentialGetWorkspaceSize(self.get(), 22, 1, 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnSimThreadExponentialGetWorkspaceSize(self.get(), -1, 1, 1, 0, &n, &e), 161002);
  EXPECT_EQ(aclnnSimThreadExponentialGetWorkspaceSize(nullptr, 21, 1, 1, 0, &n, &e), 161001);
}

TEST_F(RefusedDrawing, OfSlopes) {
  const OpTensor half(ACL_FLOAT16, {3, 7});
  const OpTensor noise(ACL_FLOAT, {3, 7});
  const OpTensor result(ACL_FLOAT, {3, 7});
  const auto rrelu = [&](const OpTensor& slopes, const OpScalar* lower, const OpScalar* upper, const OpTensor& out) {
    return aclnnRReluWithNoiseGetWorkspaceSize(self.get(), slopes.get(), get(lower), get(upper), true, 1, 0, out.get(),
                                               &n, &e);
  };
  EXPECT_EQ(rrelu(noise, nullptr, &p, result), 161001);
  EXPECT_EQ(rrelu(noise, &p, nullptr, result), 161001);
  EXPECT_EQ(rrelu(noise, &above, &p, result), 161002);
  EXPECT_EQ(rrelu(other, &p, &above, result), 161002);
  EXPECT_EQ(rrelu(half, &p, &above, result), 161002);
  EXPECT_EQ(rrelu(noise, &p, &above, other), 161002);
  EXPECT_EQ(rrelu(self, &p, &above, result), 161002) << "noise is written before self is read";
}

}  // namespace
}  // namespace aclvk::test
