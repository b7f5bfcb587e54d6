#include <limits>

#include "aclnnop/aclnn_lstm_backward.h"
#include "ops/rnn/lstm_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

/// What is kept of each lane, in the order of the signature.
enum Part : std::size_t { kI, kG, kF, kO, kH, kC, kTanh, kParts };

/// Any numbers will do for what is kept: the gradients are a function of it. After the end of a sequence is NaN, which
/// must not count.
struct LstmGiven : LstmInputs {
  std::array<OpTensors, kParts> kept{};
  OpTensor dy;
  OpTensor dh;
  OpTensor dc;

  explicit LstmGiven(const LstmCase& lstm)
      : LstmInputs(lstm),
        dy(of.type, of.shape(of.directions * of.size)),
        dh(of.type, {of.lanes(), of.batch, of.size}, of.state),
        dc(of.type, {of.lanes(), of.batch, of.size}) {
    unsigned seed = 100;
    for (OpTensors& part : kept) {
      for (std::int64_t lane = 0; lane < of.lanes(); ++lane) {
        add_small(part, of.type, {of.steps, of.batch, of.size}, ++seed);
        part.back()->fill([&](std::int64_t i) {
          const std::int64_t row = i / of.size;
          return of.goes_on(row / of.batch, row % of.batch) ? small_number(i, seed)
                                                            : std::numeric_limits<Real>::quiet_NaN();
        });
      }
    }
    for (OpTensor* tensor : {&dy, &dh, &dc}) {
      ++seed;
      tensor->fill([&](std::int64_t i) { return small_number(i, seed); });
    }
  }

  Real at(Part part, std::int64_t lane, std::int64_t t, std::int64_t b, std::int64_t j) const {
    return kept[part][static_cast<std::size_t>(lane)]->before((t * of.batch + b) * of.size + j).real();
  }
};

class LstmGradients : public LstmTest {
 protected:
  struct Gradients {
    Sequences x;
    std::vector<Real> h;
    std::vector<Real> c;
    std::vector<std::vector<Real>> params{};
  };

  static Gradients reference(const LstmGiven& in, bool has_dy, bool has_dh, bool has_dc) {
    const LstmCase& of = in.of;
    const auto states = static_cast<std::size_t>(of.lanes() * of.batch * of.size);
    Gradients out{Sequences(of, of.features), std::vector<Real>(states), std::vector<Real>(states)};
    for (const auto& weight : in.params) out.params.emplace_back(static_cast<std::size_t>(weight->count()));
    Sequences dy(of, of.directions * of.size);
    if (has_dy) dy = sequences_of(of, in.dy, of.directions * of.size);
    for (std::int64_t layer = of.layers - 1; layer >= 0; --layer) {
      Sequences x = layer == 0 ? sequences_of(of, in.input, of.features) : kept_results(in, layer - 1);
      Sequences dx(of, x.columns);
      for (std::int64_t direction = 0; direction < of.directions; ++direction) {
        for (std::int64_t b = 0; b < of.batch; ++b) {
          run_sequence(in, layer * of.directions + direction, direction, b, x, dy, has_dh, has_dc, dx, out);
        }
      }
      dy = dx;
    }
    out.x = dy;
    return out;
  }

  static Sequences kept_results(const LstmGiven& in, std::int64_t layer) {
    const LstmCase& of = in.of;
    Sequences x(of, of.directions * of.size);
    for (std::int64_t t = 0; t < of.steps; ++t) {
      for (std::int64_t b = 0; b < of.batch; ++b) {
        for (std::int64_t j = 0; j < x.columns && of.goes_on(t, b); ++j) {
          x.at(t, b, j) = in.at(kH, layer * of.directions + j / of.size, t, b, j % of.size);
        }
      }
    }
    return x;
  }

  static void run_sequence(const LstmGiven& in, std::int64_t lane, std::int64_t direction, std::int64_t b, Sequences& x,
                           Sequences& dy, bool has_dh, bool has_dc, Sequences& dx, Gradients& out) {
    const LstmCase& of = in.of;
    const std::int64_t first = (lane * of.batch + b) * of.size;
    std::vector<Real> dh;
    std::vector<Real> dc;
    for (std::int64_t j = 0; j < of.size; ++j) {
      dh.push_back(has_dh ? in.dh.before(first + j).real() : 0);
      dc.push_back(has_dc ? in.dc.before(first + j).real() : 0);
    }
    for (std::int64_t step = 0; step < of.steps; ++step) {
      const std::int64_t t = direction == 1 ? step : of.steps - 1 - step;
      if (!of.goes_on(t, b)) continue;
      const std::int64_t before = direction == 1 ? t + 1 : t - 1;
      const auto state = [&](Part part, std::int64_t j) {
        return of.goes_on(before, b) ? in.at(part, lane, before, b, j) : in.state(part == kH ? 0 : 1, lane, b, j);
      };
      std::vector<Real> sums(static_cast<std::size_t>(4 * of.size));
      for (std::int64_t j = 0; j < of.size; ++j) {
        const auto element = static_cast<std::size_t>(j);
        const Real i = in.at(kI, lane, t, b, j);
        const Real f = in.at(kF, lane, t, b, j);
        const Real g = in.at(kG, lane, t, b, j);
        const Real o = in.at(kO, lane, t, b, j);
        const Real tanh_c = in.at(kTanh, lane, t, b, j);
        const Real all = dh[element] + dy.at(t, b, direction * of.size + j);
        const Real cell = dc[element] + all * o * (1 - tanh_c * tanh_c);
        const Real of_gates[] = {cell * g * i * (1 - i), cell * state(kC, j) * f * (1 - f), cell * i * (1 - g * g),
                                 all * tanh_c * o * (1 - o)};
        for (std::int64_t gate = 0; gate < 4; ++gate) {
          sums[static_cast<std::size_t>(gate * of.size + j)] = of_gates[gate];
        }
        dc[element] = cell * f;
      }
      std::fill(dh.begin(), dh.end(), Real(0));
      const auto add = [&](int part, std::int64_t at, Real value) {
        out.params[in.weight_number(lane, part)][static_cast<std::size_t>(at)] += value;
      };
      for (std::int64_t row = 0; row < 4 * of.size; ++row) {
        const Real sum = sums[static_cast<std::size_t>(row)];
        for (std::int64_t k = 0; k < x.columns; ++k) {
          dx.at(t, b, k) += sum * in.weight(lane, 0, row * x.columns + k);
          add(0, row * x.columns + k, sum * x.at(t, b, k));
        }
        for (std::int64_t k = 0; k < of.size; ++k) {
          dh[static_cast<std::size_t>(k)] += sum * in.weight(lane, 1, row * of.size + k);
          add(1, row * of.size + k, sum * state(kH, k));
        }
        for (int part = 2; part < 4 && of.has_bias; ++part) add(part, row, sum);
      }
    }
    std::copy(dh.begin(), dh.end(), out.h.begin() + first);
    std::copy(dc.begin(), dc.end(), out.c.begin() + first);
  }

  /// `given` and `wanted` have a bit for each of dy, dh and dc, and for each result.
  static void check(const LstmCase& of, unsigned given = 7, unsigned wanted = 15) {
    SCOPED_TRACE(testing::Message() << "dtype " << of.type << ", " << of.layers << " layers, " << of.directions
                                    << " directions" << (of.is_packed() ? ", packed, " : ", ") << given << " of 7, "
                                    << wanted << " of 15");
    const LstmGiven in(of);
    const OpTensor dx(of.type, of.shape(of.features));
    const OpTensor dh(of.type, {of.lanes(), of.batch, of.size}, of.state);
    const OpTensor dc(of.type, {of.lanes(), of.batch, of.size});
    OpTensors dparams;
    for (const auto& weight : in.params) {
      dparams.push_back(std::make_unique<OpTensor>(of.type, weight->shape()));
    }
    std::vector<const OpTensor*> all = with(pointers(in.params), {&in.input, &in.sizes, in.hx[0].get(), in.hx[1].get(),
                                                                  &in.dy, &in.dh, &in.dc, &dx, &dh, &dc});
    std::vector<std::unique_ptr<OpList>> lists;
    for (const OpTensors& part : in.kept) {
      lists.push_back(std::make_unique<OpList>(pointers(part)));
      for (const OpTensor* tensor : pointers(part)) all.push_back(tensor);
    }
    for (std::size_t i = 1; i < dparams.size(); ++i) all.push_back(dparams[i].get());
    const OpList params(pointers(in.params));
    const OpList hx(pointers(in.hx));
    const OpList of_params(pointers(dparams));
    const bool mask[] = {(wanted & 1U) != 0, (wanted & 2U) != 0, (wanted & 4U) != 0, (wanted & 8U) != 0};
    aclBoolArray* const array = aclCreateBoolArray(mask, 4);
    const auto has = [](unsigned bits, unsigned bit, const OpTensor& tensor) {
      return (bits & bit) != 0 ? tensor.get() : nullptr;
    };
    run(
        [&](auto* n, auto** e) {
          return aclnnLstmBackwardGetWorkspaceSize(
              in.input.get(), hx.get(), params.get(), has(given, 1, in.dy), has(given, 2, in.dh), has(given, 4, in.dc),
              lists[kI]->get(), lists[kG]->get(), lists[kF]->get(), lists[kO]->get(), lists[kH]->get(),
              lists[kC]->get(), lists[kTanh]->get(), in.batch_sizes(), of.has_bias, of.layers, 0, true,
              of.directions == 2, of.batch_first, array, has(wanted, 1, dx), has(wanted, 2, dh), has(wanted, 4, dc),
              mask[3] ? of_params.get() : nullptr, n, e);
        },
        aclnnLstmBackward, all, *dparams[0]);
    aclDestroyBoolArray(array);
    Gradients expected = reference(in, (given & 1U) != 0, (given & 2U) != 0, (given & 4U) != 0);
    if (mask[0]) expect_sequences(of, dx, expected.x, "dx");
    if (mask[1]) expect_values(dh, expected.h, "dhPrev");
    if (mask[2]) expect_values(dc, expected.c, "dcPrev");
    for (std::size_t i = 0; i < dparams.size() && mask[3]; ++i) {
      expect_values(*dparams[i], expected.params[i], "dparams");
    }
    if (!mask[0]) {
      EXPECT_EQ(dx.download(), untouched(dx));
    }
    if (!mask[3]) {
      EXPECT_EQ(dparams[1]->download(), untouched(*dparams[1]));
    }
  }

  static std::vector<std::byte> untouched(const OpTensor& tensor) {
    return std::vector<std::byte>(tensor.bytes(), std::byte{0x5A});
  }
};

TEST_F(LstmGradients, LayersDirectionsAndBiases) {
  for (const aclDataType type : kTypes) {
    check({type});
    check({type, 3, 2, 4, 8, 2, 2});
  }
  check({ACL_FLOAT, 5, 3, 7, 5, 3, 1, false});
  check({ACL_FLOAT, 5, 3, 7, 5, 1, 2, false, true});
  check({ACL_FLOAT16, 4, 3, 8, 16, 2, 1, true, true});
  check({ACL_FLOAT, 1, 1, 1, 1, 1, 1});
}

TEST_F(LstmGradients, PackedSequences) {
  for (const aclDataType type : kTypes) check({type, 4, 3, 5, 3, 2, 2, true, false, true, {3, 2, 2, 1}});
  check({ACL_FLOAT, 3, 4, 5, 3, 2, 1, false, true, true, {4, 4, 1}});
  check({ACL_FLOAT, 2, 5, 3, 7, 1, 2, true, false, true, {3, 1}});
}

TEST_F(LstmGradients, WhatIsNotGivenOrNotWanted) {
  for (unsigned given = 0; given < 7; ++given) check({ACL_FLOAT, 2, 3, 4, 2, 2, 1}, given);
  for (unsigned wanted = 8; wanted < 15; ++wanted) check({ACL_FLOAT, 2, 3, 4, 2, 1, 2}, 7, wanted);
}

TEST_F(LstmGradients, Views) {
  LstmCase of{ACL_FLOAT, 3, 2, 5, 4, 1, 2};
  of.input = {{1, 17, 3}, 2};
  of.weight = {{1, 16}, 1};
  of.state = {{1, 3, 7}, 2};
  check(of);
  of.batch_first = true;
  of.input = {{15, 5, 1}, 3};
  of.type = ACL_FLOAT16;
  check(of);
  LstmCase packed{ACL_FLOAT16, 3, 2, 5, 4, 1, 1, true, false, true, {2, 2, 1}};
  packed.input = {{2, 11}, 1};
  check(packed);
}

TEST_F(LstmGradients, LargeAndEmptySizes) {
  check({ACL_FLOAT, 2, 70001, 1, 1});
  check({ACL_FLOAT, 2, 1, 70001, 1});
  check({ACL_FLOAT, 1031, 1, 2, 3});
  check({ACL_FLOAT, 0, 2, 3, 4, 1, 2});
  check({ACL_FLOAT, 2, 0, 3, 4, 2, 2});
  check({ACL_FLOAT, 2, 3, 0, 4, 1, 1});
}

TEST_F(LstmGradients, AreRefusedWhereArgumentsDoNotFit) {
  const LstmGiven in({ACL_FLOAT, 3, 2, 5, 4, 1, 1});
  const OpTensor dx(ACL_FLOAT, {3, 2, 5});
  const OpTensor dh(ACL_FLOAT, {1, 2, 4});
  const OpTensor dc(ACL_FLOAT, {1, 2, 4});
  const OpList params(pointers(in.params));
  const OpList hx(pointers(in.hx));
  OpTensors gradients;
  for (const auto& weight : in.params) gradients.push_back(std::make_unique<OpTensor>(ACL_FLOAT, weight->shape()));
  const OpList dparams(pointers(gradients));
  std::vector<std::unique_ptr<OpList>> lists;
  for (const OpTensors& part : in.kept) lists.push_back(std::make_unique<OpList>(pointers(part)));
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](auto* dy, auto* gates, auto* mask, auto* out, auto* weights) {
    return aclnnLstmBackwardGetWorkspaceSize(in.input.get(), hx.get(), params.get(), dy, in.dh.get(), in.dc.get(),
                                             gates, lists[kG]->get(), lists[kF]->get(), lists[kO]->get(),
                                             lists[kH]->get(), lists[kC]->get(), lists[kTanh]->get(), nullptr, true, 1,
                                             0, true, false, false, mask, out, dh.get(), dc.get(), weights, &n, &e);
  };
  const bool all[] = {true, true, true, true};
  aclBoolArray* const mask = aclCreateBoolArray(all, 4);
  aclBoolArray* const short_mask = aclCreateBoolArray(all, 3);
  aclBoolArray* no_mask = nullptr;
  aclTensor* none = nullptr;
  aclTensorList* no_list = nullptr;
  EXPECT_EQ(plan(in.dy.get(), no_list, mask, dx.get(), dparams.get()), 161001);
  EXPECT_EQ(plan(in.dy.get(), lists[kI]->get(), no_mask, dx.get(), dparams.get()), 0) << "all are wanted";
  EXPECT_EQ(plan(in.dy.get(), lists[kI]->get(), no_mask, none, dparams.get()), 161001);
  EXPECT_EQ(plan(in.dy.get(), lists[kI]->get(), mask, none, dparams.get()), 161001);
  EXPECT_EQ(plan(in.dy.get(), lists[kI]->get(), mask, dx.get(), no_list), 161001);
  EXPECT_EQ(plan(in.dy.get(), lists[kI]->get(), short_mask, dx.get(), dparams.get()), 161002);
  EXPECT_EQ(plan(dx.get(), lists[kI]->get(), mask, dx.get(), dparams.get()), 161002);
  EXPECT_EQ(plan(in.dy.get(), hx.get(), mask, dx.get(), dparams.get()), 161002);
  EXPECT_EQ(plan(in.dy.get(), lists[kI]->get(), mask, in.dy.get(), dparams.get()), 161002);
  EXPECT_EQ(plan(in.dy.get(), lists[kI]->get(), mask, dx.get(), hx.get()), 161002);
  aclDestroyBoolArray(mask);
  aclDestroyBoolArray(short_mask);
}

}  // namespace
}  // namespace aclvk::test
