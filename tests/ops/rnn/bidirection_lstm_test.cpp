#include "aclnnop/aclnn_bidirection_lstm.h"
#include "ops/rnn/lstm_reference.hpp"

namespace aclvk::test {
namespace {

class BidirectionLstms : public LstmTest {
 protected:
  /// The forward direction of a sequence, or the other one, element by element.
  static void run_sequence(const LstmInputs& in, std::int64_t lane, std::int64_t b, Sequences& x, Sequences& y,
                           std::vector<Real>& h, std::vector<Real>& c) {
    const LstmCase& of = in.of;
    std::vector<Real> cells;
    std::vector<Real> states;
    for (std::int64_t j = 0; j < of.size; ++j) {
      states.push_back(in.state(0, lane, b, j));
      cells.push_back(in.state(1, lane, b, j));
    }
    for (std::int64_t step = 0; step < of.steps; ++step) {
      const std::int64_t t = lane == 1 ? of.steps - 1 - step : step;
      const std::vector<Real> before = states;
      for (std::int64_t j = 0; j < of.size; ++j) {
        Real gates[4];
        for (std::int64_t gate = 0; gate < 4; ++gate) {
          const std::int64_t row = gate * of.size + j;
          gates[gate] = of.has_bias ? in.weight(lane, 2, row) + in.weight(lane, 3, row) : 0;
          for (std::int64_t k = 0; k < of.features; ++k) {
            gates[gate] += in.weight(lane, 0, row * of.features + k) * x.at(t, b, k);
          }
          for (std::int64_t k = 0; k < of.size; ++k) {
            gates[gate] += in.weight(lane, 1, row * of.size + k) * before[static_cast<std::size_t>(k)];
          }
        }
        Real& cell = cells[static_cast<std::size_t>(j)];
        cell = sigmoid(gates[1]) * cell + sigmoid(gates[0]) * std::tanh(gates[2]);
        states[static_cast<std::size_t>(j)] = sigmoid(gates[3]) * std::tanh(cell);
        y.at(t, b, lane * of.size + j) = states[static_cast<std::size_t>(j)];
      }
    }
    h.insert(h.end(), states.begin(), states.end());
    c.insert(c.end(), cells.begin(), cells.end());
  }

  static aclnnStatus plan(const LstmInputs& in, std::int64_t layers, const OpTensor& y, const OpTensor& h,
                          const OpTensor& c, uint64_t* n, aclOpExecutor** e) {
    const LstmCase& of = in.of;
    const auto weight = [&](std::int64_t lane, int part) {
      return lane < of.directions && (part < 2 || of.has_bias) ? in.params[in.weight_number(lane, part)]->get()
                                                               : nullptr;
    };
    return aclnnBidirectionLSTMGetWorkspaceSize(in.input.get(), in.hx[0]->get(), in.hx[1]->get(), weight(0, 0),
                                                weight(0, 1), weight(0, 2), weight(0, 3), weight(1, 0), weight(1, 1),
                                                weight(1, 2), weight(1, 3), layers, of.has_bias, of.batch_first,
                                                of.directions == 2, y.get(), h.get(), c.get(), n, e);
  }

  static void check(const LstmCase& of) {
    SCOPED_TRACE(testing::Message() << "dtype " << of.type << ", " << of.directions << " directions");
    const LstmInputs in(of);
    const OpTensor y(of.type, of.shape(of.directions * of.size));
    const OpTensor h_out(of.type, {of.directions, of.batch, of.size});
    const OpTensor c_out(of.type, {of.directions, of.batch, of.size}, of.state);
    run([&](auto* n, auto** e) { return plan(in, 1, y, h_out, c_out, n, e); }, aclnnBidirectionLSTM,
        with(pointers(in.params), {&in.input, in.hx[0].get(), in.hx[1].get(), &h_out, &c_out}), y);
    Sequences expected(of, of.directions * of.size);
    Sequences x = sequences_of(of, in.input, of.features);
    std::vector<Real> h;
    std::vector<Real> c;
    for (std::int64_t lane = 0; lane < of.directions; ++lane) {
      for (std::int64_t b = 0; b < of.batch; ++b) run_sequence(in, lane, b, x, expected, h, c);
    }
    expect_sequences(of, y, expected, "y");
    expect_values(h_out, h, "outputH");
    expect_values(c_out, c, "outputC");
  }
};

TEST_F(BidirectionLstms, DirectionsBiasesAndViews) {
  check({ACL_FLOAT16, 5, 3, 7, 5, 1, 2});
  check({ACL_FLOAT16, 5, 3, 7, 5, 1, 1, false});
  check({ACL_FLOAT, 4, 2, 3, 8, 1, 2, false, true});
  LstmCase of{ACL_FLOAT16, 3, 2, 5, 4, 1, 2};
  of.input = {{1, 17, 3}, 2};
  of.weight = {{1, 16}, 1};
  of.state = {{1, 3, 7}, 2};
  check(of);
  check({ACL_FLOAT16, 2, 70001, 1, 1, 1, 1});
  check({ACL_FLOAT16, 0, 2, 3, 4, 1, 2});
  check({ACL_FLOAT16, 2, 0, 3, 4, 1, 2});
}

TEST_F(BidirectionLstms, AreRefusedWhereArgumentsDoNotFit) {
  const LstmInputs in({ACL_FLOAT16, 3, 2, 5, 4, 1, 2});
  const OpTensor y(ACL_FLOAT16, {3, 2, 8});
  const OpTensor narrow(ACL_FLOAT16, {3, 2, 4});
  const OpTensor floats(ACL_FLOAT, {3, 2, 8});
  const OpTensor h(ACL_FLOAT16, {2, 2, 4});
  const OpTensor c(ACL_FLOAT16, {2, 2, 4});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  EXPECT_EQ(plan(in, 2, y, h, c, &n, &e), 161002);
  EXPECT_EQ(plan(in, 1, narrow, h, c, &n, &e), 161002);
  EXPECT_EQ(plan(in, 1, floats, h, c, &n, &e), 161002);
  EXPECT_EQ(plan(in, 1, y, h, narrow, &n, &e), 161002);
  const LstmInputs wide({ACL_FLOAT16, 3, 2, 5, 3, 1, 2});
  EXPECT_EQ(plan(wide, 1, y, h, c, &n, &e), 161002);
  EXPECT_EQ(aclnnBidirectionLSTMGetWorkspaceSize(in.input.get(), in.hx[0]->get(), in.hx[1]->get(), in.params[0]->get(),
                                                 in.params[1]->get(), nullptr, nullptr, nullptr, nullptr, nullptr,
                                                 nullptr, 1, false, false, true, y.get(), h.get(), c.get(), &n, &e),
            161001);
}

}  // namespace
}  // namespace aclvk::test
