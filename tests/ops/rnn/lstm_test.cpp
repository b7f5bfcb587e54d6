#include <limits>

#include "aclnnop/aclnn_lstm.h"
#include "ops/rnn/lstm_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const char* const kNames[] = {"i", "j", "f", "o", "h", "c", "tanhC"};

class LstmOps : public LstmTest {
 protected:
  /// What is kept of a lane, in the order of the signature.
  using Kept = std::array<std::vector<Real>, 7>;

  struct Results {
    Sequences y;
    std::vector<Real> h;
    std::vector<Real> c;
    std::vector<Kept> kept{};
  };

  static Results reference(const LstmInputs& in) {
    const LstmCase& of = in.of;
    Sequences x = sequences_of(of, in.input, of.features);
    Results results{Sequences(of, of.directions * of.size), {}, {}};
    for (std::int64_t layer = 0; layer < of.layers; ++layer) {
      Sequences y(of, of.directions * of.size);
      for (std::int64_t direction = 0; direction < of.directions; ++direction) {
        run_lane(in, layer * of.directions + direction, direction, x, y, results);
      }
      x = y;
    }
    results.y = x;
    return results;
  }

  static void run_lane(const LstmInputs& in, std::int64_t lane, std::int64_t direction, Sequences& x, Sequences& y,
                       Results& results) {
    const LstmCase& of = in.of;
    Kept kept;
    for (auto& values : kept) values.resize(static_cast<std::size_t>(of.steps * of.batch * of.size));
    for (std::int64_t b = 0; b < of.batch; ++b) {
      std::vector<Real> h;
      std::vector<Real> c;
      for (std::int64_t j = 0; j < of.size; ++j) {
        h.push_back(in.state(0, lane, b, j));
        c.push_back(in.state(1, lane, b, j));
      }
      for (std::int64_t step = 0; step < of.steps; ++step) {
        const std::int64_t t = direction == 1 ? of.steps - 1 - step : step;
        run_step(in, lane, t, b, x, h, c, kept);
        for (std::int64_t j = 0; j < of.size; ++j) {
          y.at(t, b, direction * of.size + j) = h[static_cast<std::size_t>(j)];
        }
      }
      results.h.insert(results.h.end(), h.begin(), h.end());
      results.c.insert(results.c.end(), c.begin(), c.end());
    }
    results.kept.push_back(kept);
  }

  /// A sequence that has ended has gates of 0, and keeps its states.
  static void run_step(const LstmInputs& in, std::int64_t lane, std::int64_t t, std::int64_t b, Sequences& x,
                       std::vector<Real>& h, std::vector<Real>& c, Kept& kept) {
    const LstmCase& of = in.of;
    const std::vector<Real> before = h;
    for (std::int64_t j = 0; j < of.size; ++j) {
      const auto at = static_cast<std::size_t>((t * of.batch + b) * of.size + j);
      const auto element = static_cast<std::size_t>(j);
      if (of.goes_on(t, b)) {
        Real sums[4];
        for (std::int64_t gate = 0; gate < 4; ++gate) {
          const std::int64_t row = gate * of.size + j;
          Real sum = of.has_bias ? in.weight(lane, 2, row) + in.weight(lane, 3, row) : 0;
          for (std::int64_t k = 0; k < x.columns; ++k) sum += in.weight(lane, 0, row * x.columns + k) * x.at(t, b, k);
          for (std::int64_t k = 0; k < of.size; ++k) {
            sum += in.weight(lane, 1, row * of.size + k) * before[static_cast<std::size_t>(k)];
          }
          sums[gate] = gate == 2 ? std::tanh(sum) : sigmoid(sum);
        }
        c[element] = sums[1] * c[element] + sums[0] * sums[2];
        h[element] = sums[3] * std::tanh(c[element]);
        kept[0][at] = sums[0];
        kept[1][at] = sums[2];
        kept[2][at] = sums[1];
        kept[3][at] = sums[3];
        kept[6][at] = std::tanh(c[element]);
      }
      kept[4][at] = h[element];
      kept[5][at] = c[element];
    }
  }

  static void check(const LstmCase& of) { check(LstmInputs(of)); }

  static void check(const LstmInputs& in) {
    const LstmCase& of = in.of;
    SCOPED_TRACE(testing::Message() << "dtype " << of.type << ", " << of.layers << " layers, " << of.directions
                                    << " directions" << (of.is_packed() ? ", packed" : ""));
    const OpTensor y(of.type, of.shape(of.directions * of.size));
    const OpTensor hy(of.type, {of.lanes(), of.batch, of.size}, of.state);
    const OpTensor cy(of.type, {of.lanes(), of.batch, of.size});
    std::array<OpTensors, 7> kept;
    std::array<std::unique_ptr<OpList>, 7> lists;
    std::vector<const OpTensor*> all =
        with(pointers(in.params), {&in.input, &in.sizes, in.hx[0].get(), in.hx[1].get(), &hy, &cy});
    for (std::size_t part = 0; part < kept.size() && of.train; ++part) {
      for (std::int64_t lane = 0; lane < of.lanes(); ++lane) {
        add_small(kept[part], of.type, {of.steps, of.batch, of.size}, 1);
        all.push_back(kept[part].back().get());
      }
      lists[part] = std::make_unique<OpList>(pointers(kept[part]));
    }
    const OpList params(pointers(in.params));
    const OpList hx(pointers(in.hx));
    const auto list = [&](std::size_t part) { return lists[part] ? lists[part]->get() : nullptr; };
    run(
        [&](auto* n, auto** e) {
          return aclnnLSTMGetWorkspaceSize(in.input.get(), params.get(), hx.get(), in.batch_sizes(), of.has_bias,
                                           of.layers, 0, of.train, of.directions == 2, of.batch_first, y.get(),
                                           hy.get(), cy.get(), list(0), list(1), list(2), list(3), list(4), list(5),
                                           list(6), n, e);
        },
        aclnnLSTM, all, y);
    Results expected = reference(in);
    expect_sequences(of, y, expected.y, "output");
    expect_values(hy, expected.h, "hy");
    expect_values(cy, expected.c, "cy");
    for (std::size_t part = 0; part < kept.size() && of.train; ++part) {
      for (std::size_t lane = 0; lane < kept[part].size(); ++lane) {
        expect_values(*kept[part][lane], expected.kept[lane][part], kNames[part]);
      }
    }
  }
};

TEST_F(LstmOps, LayersDirectionsAndBiases) {
  for (const aclDataType type : kTypes) {
    check({type});
    check({type, 3, 2, 4, 8, 2, 2});
  }
  check({ACL_FLOAT, 5, 3, 7, 5, 3, 1, false});
  check({ACL_FLOAT, 5, 3, 7, 5, 1, 2, false, true, false});
  check({ACL_FLOAT16, 4, 3, 8, 16, 2, 1, true, true});
  check({ACL_FLOAT, 1, 1, 1, 1, 1, 1});
}

TEST_F(LstmOps, PackedSequences) {
  for (const aclDataType type : kTypes) check({type, 4, 3, 5, 3, 2, 2, true, false, true, {3, 2, 2, 1}});
  check({ACL_FLOAT, 3, 4, 5, 3, 1, 1, false, true, false, {4, 4, 1}});
  check({ACL_FLOAT, 2, 5, 3, 7, 1, 2, true, false, true, {3, 1}});  // two sequences have no steps
}

TEST_F(LstmOps, Views) {
  LstmCase of{ACL_FLOAT, 3, 2, 5, 4, 1, 2};
  of.input = {{1, 17, 3}, 2};
  of.weight = {{1, 16}, 1};
  of.state = {{1, 3, 7}, 2};
  check(of);
  of.batch_first = true;
  of.input = {{15, 5, 1}, 3};
  check(of);
  of.input = {{0, 0, 0}, 1};
  of.type = ACL_FLOAT16;
  check(of);
  LstmCase packed{ACL_FLOAT16, 3, 2, 5, 4, 1, 1, true, false, true, {2, 2, 1}};
  packed.input = {{2, 11}, 1};
  check(packed);
}

TEST_F(LstmOps, LargeAndEmptySizes) {
  check({ACL_FLOAT, 2, 70001, 1, 1, 1, 1, true, false, false});
  check({ACL_FLOAT, 2, 1, 70001, 1, 1, 1, true, false, false});
  check({ACL_FLOAT, 1031, 1, 2, 3, 1, 1, true, false, false});
  check({ACL_FLOAT, 2, 33000, 1, 1, 1, 2, true, false, false, {33000, 32999}});
  check({ACL_FLOAT, 0, 2, 3, 4, 1, 2});
  check({ACL_FLOAT, 2, 0, 3, 4, 2, 2});
  check({ACL_FLOAT, 2, 3, 0, 4, 1, 1});
}

TEST_F(LstmOps, AnImplausibleNumberOfStepsIsRefused) {
  const LstmInputs in({ACL_FLOAT, 1, 0, 1, 1, 1, 1});
  const OpTensor input(ACL_FLOAT, {std::int64_t{1} << 30, 0, 1}, {{0, 0, 0}});
  const OpList params(pointers(in.params));
  const OpList hx(pointers(in.hx));
  const OpTensor y(ACL_FLOAT, {std::int64_t{1} << 30, 0, 1}, {{0, 0, 0}});
  const OpTensor hy(ACL_FLOAT, {1, 0, 1});
  const OpTensor cy(ACL_FLOAT, {1, 0, 1});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  EXPECT_EQ(aclnnLSTMGetWorkspaceSize(input.get(), params.get(), hx.get(), nullptr, true, 1, 0, false, false, false,
                                      y.get(), hy.get(), cy.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                      nullptr, &n, &e),
            207000);
}

TEST_F(LstmOps, NanStaysInItsSequence) {
  LstmInputs in({ACL_FLOAT, 3, 4, 5, 3, 2, 2});
  in.input.fill([](std::int64_t i) {
    return i == 22   ? std::numeric_limits<Real>::quiet_NaN()
           : i == 32 ? std::numeric_limits<Real>::infinity()
                     : small_number(i, 1);
  });
  check(in);
}

TEST_F(LstmOps, AreRefusedWhereArgumentsDoNotFit) {
  const LstmInputs in({ACL_FLOAT, 3, 2, 5, 4, 1, 1});
  const OpTensor y(ACL_FLOAT, {3, 2, 4});
  const OpTensor hy(ACL_FLOAT, {1, 2, 4});
  const OpTensor cy(ACL_FLOAT, {1, 2, 4});
  const OpTensor halves(ACL_FLOAT16, {3, 2, 4});
  const OpTensor sizes(ACL_INT64, {3});
  const OpList params(pointers(in.params));
  const OpList hx(pointers(in.hx));
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](auto* input, auto* weights, auto* states, auto* batch_sizes, bool bias, std::int64_t layers,
                        bool train, bool both, auto* out) {
    return aclnnLSTMGetWorkspaceSize(input, weights, states, batch_sizes, bias, layers, 0, train, both, false, out,
                                     hy.get(), cy.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                     &n, &e);
  };
  aclTensor* none = nullptr;
  aclTensorList* no_list = nullptr;
  EXPECT_EQ(plan(none, params.get(), hx.get(), none, true, 1, false, false, y.get()), 161001);
  EXPECT_EQ(plan(in.input.get(), no_list, hx.get(), none, true, 1, false, false, y.get()), 161001);
  EXPECT_EQ(plan(in.input.get(), params.get(), no_list, none, true, 1, false, false, y.get()), 161001);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, true, 1, true, false, y.get()), 161001);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, true, 1, false, false, none), 161001);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, false, 1, false, false, y.get()), 161002);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, true, 0, false, false, y.get()), 161002);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, true, 2, false, false, y.get()), 161002);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, true, 1, false, true, y.get()), 161002);
  EXPECT_EQ(plan(in.input.get(), params.get(), params.get(), none, true, 1, false, false, y.get()), 161002);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), sizes.get(), true, 1, false, false, y.get()), 161002);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, true, 1, false, false, halves.get()), 161002);
  EXPECT_EQ(plan(in.input.get(), params.get(), hx.get(), none, true, 1, false, false, cy.get()), 161002);
  EXPECT_EQ(plan(sizes.get(), params.get(), hx.get(), none, true, 1, false, false, y.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
