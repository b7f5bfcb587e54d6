#include "aclnnop/aclnn_ada_layer_norm.h"
#include "aclnnop/aclnn_ada_layer_norm_v2.h"
#include "aclnnop/aclnn_add_layer_norm.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_add_rms_norm_cast.h"
#include "aclnnop/aclnn_deep_norm.h"
#include "aclnnop/aclnn_gemma_rms_norm.h"
#include "aclnnop/aclnn_inplace_add_rms_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "support/reduced.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr double kEpsilon = 1e-5;

/// The rows of a tensor, normalised on the host.
struct NormalRows {
  std::vector<Real> values;  ///< by element
  std::vector<Real> means;   ///< by row
  std::vector<Real> scales;
};

class Norms : public OpTest {
 protected:
  using Element = std::function<Real(std::int64_t)>;

  static NormalRows normal_rows(std::int64_t count, std::int64_t length, bool centered, const Element& x) {
    NormalRows rows;
    for (std::int64_t row = 0; row < count; ++row) {
      Real mean = 0;
      for (std::int64_t i = 0; i < length; ++i) mean += centered ? x(row * length + i) : 0;
      mean /= static_cast<Real>(length);
      Real squares = 0;
      for (std::int64_t i = 0; i < length; ++i) squares += std::pow(x(row * length + i) - mean, 2);
      rows.means.push_back(mean);
      rows.scales.push_back(1 / std::sqrt(squares / static_cast<Real>(length) + kEpsilon));
      for (std::int64_t i = 0; i < length; ++i)
        rows.values.push_back((x(row * length + i) - mean) * rows.scales.back());
    }
    return rows;
  }

  static std::function<Number(std::int64_t)> in(const std::vector<Real>& values) {
    return [&values](std::int64_t i) -> Number { return values[static_cast<std::size_t>(i)]; };
  }

  /// Compares an output that is still on the device.
  static void expect_others(const OpTensor& out, const std::function<Number(std::int64_t)>& expected) {
    const auto bytes = out.download();
    EXPECT_TRUE(out.only_elements_changed(bytes));
    expect_elements(out, bytes, expected, false);
  }

  static void check_layer_norm(const OpTensor& x, std::int64_t normalized_dims, const OpTensor* gamma,
                               const OpTensor* beta, const OpTensor& out, const OpTensor* mean, const OpTensor* rstd) {
    SCOPED_TRACE("dtype " + std::to_string(x.type()) + ", " + std::to_string(x.shape().size()) + " dims");
    const Shape normalized(x.shape().end() - normalized_dims, x.shape().end());
    const OpInts shape(normalized);
    const std::int64_t length = count_of(normalized);
    const auto rows = normal_rows(x.count() / length, length, true, [&](auto i) { return x.before(i).real(); });
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    std::vector<const OpTensor*> tensors;
    for (const OpTensor* tensor : {&x, gamma, beta, mean, rstd}) {
      if (tensor) tensors.push_back(tensor);
    }
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnLayerNormGetWorkspaceSize(x.get(), shape.get(), handle(gamma), handle(beta), kEpsilon, out.get(),
                                                handle(mean), handle(rstd), n, e);
        },
        aclnnLayerNorm, tensors, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const Real factor = gamma ? gamma->before(i % length).real() : 1;
      return rows.values[static_cast<std::size_t>(i)] * factor + (beta ? beta->before(i % length).real() : 0);
    };
    expect_elements(out, bytes, expected, false);
    if (mean) expect_others(*mean, in(rows.means));
    if (rstd) expect_others(*rstd, in(rows.scales));
  }
};

TEST_F(Norms, LayerNormWithAndWithoutItsOptions) {
  for (const aclDataType type : kTypes) {
    for (const std::int64_t length : {64, 77, 1}) {
      OpTensor x(type, {5, 3, length});
      OpTensor gamma(type, {length});
      OpTensor beta(type, {length});
      x.fill_random(1);
      gamma.fill_random(2);
      beta.fill_random(3);
      const OpTensor out(type, {5, 3, length});
      const OpTensor mean(ACL_FLOAT, {5, 3, 1});
      const OpTensor rstd(ACL_FLOAT, {5, 3, 1});
      check_layer_norm(x, 1, &gamma, &beta, out, &mean, &rstd);
      check_layer_norm(x, 1, nullptr, nullptr, out, nullptr, nullptr);
      if (length != 77) continue;
      check_layer_norm(x, 1, &gamma, nullptr, out, nullptr, &rstd);
      check_layer_norm(x, 1, nullptr, &beta, out, &mean, nullptr);
    }
  }
}

// A thread holds the elements of short rows that consist of vec8s, and a team of threads takes several rows where
// there are many.
TEST_F(Norms, LayerNormOfRowsThatConsistOfVec8s) {
  using Matrices = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const auto check_each = [](aclDataType type, const Matrices& matrices) {
    for (const auto& [count, length] : matrices) {
      OpTensor x(type, {count, length});
      OpTensor gamma(type, {length});
      OpTensor beta(type, {length});
      x.fill_random(9);
      gamma.fill_random(10);
      beta.fill_random(11);
      const OpTensor out(type, {count, length});
      const OpTensor mean(ACL_FLOAT, {count, 1});
      const OpTensor rstd(ACL_FLOAT, {count, 1});
      check_layer_norm(x, 1, &gamma, &beta, out, &mean, &rstd);
      if (length >= 200 || count > 2048) check_layer_norm(x, 1, nullptr, &beta, out, nullptr, nullptr);
    }
  };
  const Matrices all = {{3, 8},    {3, 64},   {3, 200},  {5, 1000}, {3, 1024},  {3, 1032},
                        {3, 1288}, {261, 72}, {2051, 8}, {64, 512}, {2048, 128}};
  check_each(ACL_FLOAT, all);
  check_each(ACL_FLOAT16, {{3, 8}, {3, 1032}, {261, 72}, {2048, 128}});
}

// Digits are not lost to a mean that is far from the elements' distances.
TEST_F(Norms, LayerNormOfElementsFarFromZero) {
  OpTensor x(ACL_FLOAT, {3, 136});
  x.fill([](std::int64_t i) { return 512 + static_cast<Real>(i * 37 % 64) / 8; });
  check_layer_norm(x, 1, nullptr, nullptr, OpTensor(ACL_FLOAT, {3, 136}), nullptr, nullptr);
}

TEST_F(Norms, LayerNormOverManyDimsAndOfViews) {
  for (const aclDataType type : kTypes) {
    OpTensor x(type, {40, 3, 11}, {{1, 41, 130}, 2});
    OpTensor gamma(ACL_FLOAT, {3, 11}, {{1, 3}, 0});
    OpTensor beta(ACL_FLOAT, {3, 11});
    x.fill_random(4);
    gamma.fill_random(5);
    beta.fill_random(6);
    const OpTensor mean(type, {40, 1, 1}, {{2, 1, 1}, 1});
    check_layer_norm(x, 2, &gamma, &beta, OpTensor(type, {40, 3, 11}), &mean, nullptr);
    check_layer_norm(x, 2, &gamma, &beta, OpTensor(type, {40, 3, 11}, {{1, 41, 130}, 0}), &mean, nullptr);
    check_layer_norm(x, 3, nullptr, nullptr, OpTensor(type, {40, 3, 11}), nullptr, nullptr);
  }
}

TEST_F(Norms, LayerNormOfLongRows) {
  OpTensor x(ACL_FLOAT, {2, 20000});
  x.fill_random(7);
  check_layer_norm(x, 1, nullptr, nullptr, OpTensor(ACL_FLOAT, {2, 20000}), nullptr, nullptr);
}

TEST_F(Norms, LayerNormInItsOtherForms) {
  OpTensor x(ACL_FLOAT, {7, 40});
  x.fill_random(8);
  const OpTensor out(ACL_FLOAT, {7, 40});
  const OpInts shape({40});
  const auto rows = normal_rows(7, 40, true, [&](auto i) { return x.before(i).real(); });
  const auto fast = run(
      [&](auto* n, auto** e) {
        return aclnnFastLayerNormGetWorkspaceSize(x.get(), shape.get(), nullptr, nullptr, kEpsilon, out.get(), nullptr,
                                                  nullptr, n, e);
      },
      aclnnFastLayerNorm, {&x}, out);
  expect_elements(out, fast, in(rows.values), false);
  const auto moded = run(
      [&](auto* n, auto** e) {
        return aclnnLayerNormWithImplModeGetWorkspaceSize(x.get(), shape.get(), nullptr, nullptr, kEpsilon, out.get(),
                                                          nullptr, nullptr, 1, n, e);
      },
      aclnnLayerNormWithImplMode, {&x}, out);
  expect_elements(out, moded, in(rows.values), false);
}

TEST_F(Norms, OfNothing) {
  check_layer_norm(OpTensor(ACL_FLOAT, {0, 8}), 1, nullptr, nullptr, OpTensor(ACL_FLOAT, {0, 8}), nullptr, nullptr);
}

TEST_F(Norms, AddLayerNormAddsFirst) {
  for (const aclDataType type : kTypes) {
    OpTensor x1(type, {6, 48});
    OpTensor x2(type, {6, 48});
    OpTensor gamma(type, {48});
    OpTensor beta(type, {48});
    OpTensor bias(type, {48});
    unsigned seed = 9;
    for (OpTensor* tensor : {&x1, &x2, &gamma, &beta, &bias}) tensor->fill_random(seed++);
    const OpTensor y(type, {6, 48});
    const OpTensor mean(ACL_FLOAT, {6, 1});
    const OpTensor rstd(ACL_FLOAT, {6, 1});
    const OpTensor sum(type, {6, 48});
    for (const bool with_bias : {false, true}) {
      const auto added = [&](std::int64_t i) {
        return x1.before(i).real() + x2.before(i).real() + (with_bias ? bias.before(i % 48).real() : 0);
      };
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnAddLayerNormGetWorkspaceSize(x1.get(), x2.get(), gamma.get(), beta.get(),
                                                     with_bias ? bias.get() : nullptr, kEpsilon, true, y.get(),
                                                     mean.get(), rstd.get(), sum.get(), n, e);
          },
          aclnnAddLayerNorm, {&x1, &x2, &gamma, &beta, &bias, &mean, &rstd, &sum}, y);
      const auto rows = normal_rows(6, 48, true, added);
      expect_elements(
          y, bytes,
          [&](std::int64_t i) -> Number {
            return rows.values[static_cast<std::size_t>(i)] * gamma.before(i % 48).real() + beta.before(i % 48).real();
          },
          false);
      expect_others(mean, in(rows.means));
      expect_others(rstd, in(rows.scales));
      expect_others(sum, added);
    }
  }
}

TEST_F(Norms, DeepNormScalesFirst) {
  for (const aclDataType type : kTypes) {
    OpTensor x(type, {5, 33});
    OpTensor gx(type, {5, 33});
    OpTensor beta(type, {33});
    OpTensor gamma(type, {33});
    unsigned seed = 14;
    for (OpTensor* tensor : {&x, &gx, &beta, &gamma}) tensor->fill_random(seed++);
    const OpTensor mean(ACL_FLOAT, {5, 1});
    const OpTensor rstd(ACL_FLOAT, {5, 1});
    const OpTensor y(type, {5, 33});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnDeepNormGetWorkspaceSize(x.get(), gx.get(), beta.get(), gamma.get(), 0.75, kEpsilon, mean.get(),
                                               rstd.get(), y.get(), n, e);
        },
        aclnnDeepNorm, {&x, &gx, &beta, &gamma, &mean, &rstd}, y);
    const auto rows =
        normal_rows(5, 33, true, [&](auto i) { return x.before(i).real() * 0.75L + gx.before(i).real(); });
    expect_elements(
        y, bytes,
        [&](std::int64_t i) -> Number {
          return rows.values[static_cast<std::size_t>(i)] * gamma.before(i % 33).real() + beta.before(i % 33).real();
        },
        false);
    expect_others(mean, in(rows.means));
    expect_others(rstd, in(rows.scales));
  }
}

TEST_F(Norms, AdaLayerNormModulates) {
  for (const aclDataType type : kTypes) {
    OpTensor x(type, {3, 5, 24});
    OpTensor scale(type, {3, 24});
    OpTensor shift(type, {3, 1, 24});
    OpTensor gamma(type, {24});
    unsigned seed = 18;
    for (OpTensor* tensor : {&x, &scale, &shift, &gamma}) tensor->fill_random(seed++);
    const OpTensor out(type, {3, 5, 24});
    const OpTensor mean(ACL_FLOAT, {3, 5, 1});
    const OpTensor rstd(ACL_FLOAT, {3, 5, 1});
    const auto rows = normal_rows(15, 24, true, [&](auto i) { return x.before(i).real(); });
    const auto expected = [&](bool with_gamma) {
      return [&, with_gamma](std::int64_t i) -> Number {
        const std::int64_t at = i / 120 * 24 + i % 24;
        const Real y = rows.values[static_cast<std::size_t>(i)] * (with_gamma ? gamma.before(i % 24).real() : 1);
        return y * (1 + scale.before(at).real()) + shift.before(at).real();
      };
    };
    const auto first = run(
        [&](auto* n, auto** e) {
          return aclnnAdaLayerNormGetWorkspaceSize(x.get(), scale.get(), shift.get(), nullptr, nullptr, kEpsilon,
                                                   out.get(), n, e);
        },
        aclnnAdaLayerNorm, {&x, &scale, &shift}, out);
    expect_elements(out, first, expected(false), false);
    const auto second = run(
        [&](auto* n, auto** e) {
          return aclnnAdaLayerNormV2GetWorkspaceSize(x.get(), scale.get(), shift.get(), gamma.get(), nullptr, kEpsilon,
                                                     out.get(), mean.get(), rstd.get(), n, e);
        },
        aclnnAdaLayerNormV2, {&x, &scale, &shift, &gamma, &mean, &rstd}, out);
    expect_elements(out, second, expected(true), false);
    expect_others(mean, in(rows.means));
    expect_others(rstd, in(rows.scales));
  }
}

TEST_F(Norms, RmsNormHasNoMean) {
  for (const aclDataType type : kTypes) {
    for (const std::int64_t length : {128, 33}) {
      OpTensor x(type, {4, 3, length});
      OpTensor gamma(type, {length});
      x.fill_random(22);
      gamma.fill_random(23);
      const OpTensor y(type, {4, 3, length});
      const OpTensor rstd(ACL_FLOAT, {4, 3, 1});
      const auto rows = normal_rows(12, length, false, [&](auto i) { return x.before(i).real(); });
      const auto expected = [&](Real one) {
        return [&, one](std::int64_t i) -> Number {
          return rows.values[static_cast<std::size_t>(i)] * (one + gamma.before(i % length).real());
        };
      };
      const auto plain = run(
          [&](auto* n, auto** e) {
            return aclnnRmsNormGetWorkspaceSize(x.get(), gamma.get(), kEpsilon, y.get(), rstd.get(), n, e);
          },
          aclnnRmsNorm, {&x, &gamma, &rstd}, y);
      expect_elements(y, plain, expected(0), false);
      expect_others(rstd, in(rows.scales));
      const auto gemma = run(
          [&](auto* n, auto** e) {
            return aclnnGemmaRmsNormGetWorkspaceSize(x.get(), gamma.get(), kEpsilon, y.get(), rstd.get(), n, e);
          },
          aclnnGemmaRmsNorm, {&x, &gamma, &rstd}, y);
      expect_elements(y, gemma, expected(1), false);
    }
  }
}

class AddRmsNorms : public Norms {
 protected:
  AddRmsNorms() = default;

  struct Tensors {
    explicit Tensors(aclDataType type)
        : x1(type, {7, 40}),
          x2(type, {7, 40}),
          gamma(type, {40}),
          y(type, {7, 40}),
          rstd(ACL_FLOAT, {7, 1}),
          x(type, {7, 40}) {
      x1.fill_random(24);
      x2.fill_random(25);
      gamma.fill_random(26);
    }
    OpTensor x1, x2, gamma, y, rstd, x;
  };

  static Real sum(const Tensors& t, std::int64_t i) {
    const Real exact = t.x1.before(i).real() + t.x2.before(i).real();
    return t.x1.type() == ACL_FLOAT16 ? round_real(exact, ACL_FLOAT16) : exact;
  }

  static std::function<Number(std::int64_t)> expected(const Tensors& t, const NormalRows& rows) {
    return [&](std::int64_t i) -> Number {
      const Real value = rows.values[static_cast<std::size_t>(i)];
      const Real kept = t.x1.type() == ACL_FLOAT16 ? round_real(value, ACL_FLOAT16) : value;
      return kept * t.gamma.before(i % 40).real();
    };
  }
};

TEST_F(AddRmsNorms, AddFirst) {
  for (const aclDataType type : kTypes) {
    const Tensors t(type);
    const auto rows = normal_rows(7, 40, false, [&](auto i) { return sum(t, i); });
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAddRmsNormGetWorkspaceSize(t.x1.get(), t.x2.get(), t.gamma.get(), kEpsilon, t.y.get(),
                                                 t.rstd.get(), t.x.get(), n, e);
        },
        aclnnAddRmsNorm, {&t.x1, &t.x2, &t.gamma, &t.rstd, &t.x}, t.y);
    expect_elements(t.y, bytes, expected(t, rows), false);
    expect_others(t.rstd, in(rows.scales));
    expect_others(t.x, [&](std::int64_t i) { return sum(t, i); });
  }
}

TEST_F(AddRmsNorms, WriteInPlace) {
  for (const aclDataType type : kTypes) {
    const Tensors t(type);
    const auto rows = normal_rows(7, 40, false, [&](auto i) { return sum(t, i); });
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnInplaceAddRmsNormGetWorkspaceSize(t.x1.get(), t.x2.get(), t.gamma.get(), kEpsilon, t.rstd.get(),
                                                        n, e);
        },
        aclnnInplaceAddRmsNorm, {&t.x2, &t.gamma, &t.rstd}, t.x1);
    expect_elements(t.x1, bytes, expected(t, rows), false);
    expect_others(t.x2, [&](std::int64_t i) { return sum(t, i); });
    expect_others(t.rstd, in(rows.scales));
  }
}

TEST_F(AddRmsNorms, CastTheResult) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    const Tensors t(type);
    const OpTensor cast(ACL_FLOAT, {7, 40});
    const auto rows = normal_rows(7, 40, false, [&](auto i) { return sum(t, i); });
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAddRmsNormCastGetWorkspaceSize(t.x1.get(), t.x2.get(), t.gamma.get(), kEpsilon, cast.get(),
                                                     t.y.get(), t.rstd.get(), t.x.get(), n, e);
        },
        aclnnAddRmsNormCast, {&t.x1, &t.x2, &t.gamma, &cast, &t.rstd, &t.x}, t.y);
    expect_elements(t.y, bytes, expected(t, rows), false);
    const auto wide = cast.download();
    for (std::int64_t i = 0; i < 280; ++i) EXPECT_EQ(cast.in(wide, i), t.y.in(bytes, i)) << i;
  }
}

// All rows read the parameters; a statistic in their place would be there before some have.
TEST_F(Norms, RefuseAStatisticWhereAParameterIs) {
  const OpTensor x(ACL_FLOAT, {8, 8});
  const OpTensor y(ACL_FLOAT, {8, 8});
  const OpTensor first(ACL_FLOAT, {8});
  const OpTensor second(ACL_FLOAT, {8});
  const OpTensor third(ACL_FLOAT, {8});
  const OpTensor fourth(ACL_FLOAT, {8});
  const OpTensor images(ACL_FLOAT, {1, 8, 8});
  const OpTensor of_images(ACL_FLOAT, {1, 8});
  const OpTensor other_of_images(ACL_FLOAT, {1, 8});
  const OpTensor out_of_images(ACL_FLOAT, {1, 8, 8});
  const OpInts shape({8});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto layer_norm = [&](const OpTensor& mean, const OpTensor& rstd) {
    return aclnnLayerNormGetWorkspaceSize(x.get(), shape.get(), first.get(), second.get(), kEpsilon, y.get(),
                                          mean.get(), rstd.get(), &n, &e);
  };
  EXPECT_EQ(layer_norm(first, third), 161002);
  EXPECT_EQ(layer_norm(second, third), 161002);
  EXPECT_EQ(layer_norm(third, first), 161002);
  EXPECT_EQ(layer_norm(third, second), 161002);
  EXPECT_EQ(aclnnRmsNormGetWorkspaceSize(x.get(), first.get(), kEpsilon, y.get(), first.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnDeepNormGetWorkspaceSize(x.get(), x.get(), first.get(), second.get(), 1, kEpsilon, third.get(),
                                          first.get(), y.get(), &n, &e),
            161002);
  const auto ada_layer_norm = [&](const OpTensor& scale, const OpTensor& shift) {
    return aclnnAdaLayerNormV2GetWorkspaceSize(images.get(), scale.get(), shift.get(), nullptr, nullptr, kEpsilon,
                                               out_of_images.get(), of_images.get(), nullptr, &n, &e);
  };
  EXPECT_EQ(ada_layer_norm(of_images, other_of_images), 161002);
  EXPECT_EQ(ada_layer_norm(other_of_images, of_images), 161002);
  const OpTensor one(ACL_FLOAT, {1});
  const OpTensor other_one(ACL_FLOAT, {1});
  const auto add_layer_norm = [&](const OpTensor& sum) {
    return aclnnAddLayerNormGetWorkspaceSize(third.get(), third.get(), first.get(), second.get(), nullptr, kEpsilon,
                                             true, fourth.get(), one.get(), other_one.get(), sum.get(), &n, &e);
  };
  EXPECT_EQ(add_layer_norm(first), 161002);
  EXPECT_EQ(add_layer_norm(second), 161002);
  EXPECT_EQ(e, nullptr);
  EXPECT_EQ(add_layer_norm(third), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(e), 0);
}

TEST_F(Norms, RefuseWhatDoesNotFit) {
  const OpTensor x(ACL_FLOAT, {3, 8});
  const OpTensor whole(ACL_INT32, {3, 8});
  const OpTensor gamma(ACL_FLOAT, {8});
  const OpTensor few(ACL_FLOAT, {7});
  const OpTensor rstd(ACL_FLOAT, {3, 1});
  const OpInts shape({8});
  const OpInts other({3});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto layer_norm = [&](auto* input, auto* dims, auto* weight, auto* out, auto* mean) {
    return aclnnLayerNormGetWorkspaceSize(input, dims, weight, nullptr, kEpsilon, out, mean, nullptr, &n, &e);
  };
  aclTensor* none = nullptr;
  aclIntArray* no_dims = nullptr;
  EXPECT_EQ(layer_norm(none, shape.get(), none, x.get(), none), 161001);
  EXPECT_EQ(layer_norm(x.get(), no_dims, none, x.get(), none), 161001);
  EXPECT_EQ(layer_norm(x.get(), shape.get(), none, none, none), 161001);
  EXPECT_EQ(layer_norm(whole.get(), shape.get(), none, x.get(), none), 161002);
  EXPECT_EQ(layer_norm(x.get(), other.get(), none, x.get(), none), 161002);
  EXPECT_EQ(layer_norm(x.get(), shape.get(), few.get(), x.get(), none), 161002);
  EXPECT_EQ(layer_norm(x.get(), shape.get(), none, gamma.get(), none), 161002);
  EXPECT_EQ(layer_norm(x.get(), shape.get(), none, x.get(), gamma.get()), 161002);
  const auto rms_norm = [&](auto* input, auto* weight, auto* out, auto* scale) {
    return aclnnRmsNormGetWorkspaceSize(input, weight, kEpsilon, out, scale, &n, &e);
  };
  EXPECT_EQ(rms_norm(x.get(), none, x.get(), rstd.get()), 161001);
  EXPECT_EQ(rms_norm(x.get(), gamma.get(), x.get(), none), 161001);
  EXPECT_EQ(rms_norm(x.get(), few.get(), x.get(), rstd.get()), 161002);
  EXPECT_EQ(rms_norm(x.get(), gamma.get(), whole.get(), rstd.get()), 161002);
  EXPECT_EQ(rms_norm(x.get(), gamma.get(), x.get(), x.get()), 161002);
  EXPECT_EQ(aclnnAddRmsNormGetWorkspaceSize(x.get(), gamma.get(), gamma.get(), kEpsilon, x.get(), rstd.get(), x.get(),
                                            &n, &e),
            161002);
}

}  // namespace
}  // namespace aclvk::test
