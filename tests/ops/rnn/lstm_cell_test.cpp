#include <limits>

#include "aclnnop/aclnn_thnn_fused_lstm_cell.h"
#include "aclnnop/aclnn_thnn_fused_lstm_cell_backward.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }

class LstmCells : public OpTest {
 protected:
  struct Cell {
    std::int64_t batch;
    std::int64_t size;
    OpTensor input;
    OpTensor hidden;
    OpTensor c;
    OpTensor input_bias;
    OpTensor hidden_bias;
    OpTensor h_out;
    OpTensor c_out;
    OpTensor gates_out;
    OpTensor bias_out;

    Cell(aclDataType type, std::int64_t rows, std::int64_t columns, const View& state = {}, const View& gates = {})
        : batch(rows),
          size(columns),
          input(type, {rows, 4 * columns}, gates),
          hidden(type, {rows, 4 * columns}),
          c(type, {rows, columns}, state),
          input_bias(type, {4 * columns}),
          hidden_bias(type, {4 * columns}),
          h_out(type, {rows, columns}, state),
          c_out(type, {rows, columns}),
          gates_out(type, {rows, 4 * columns}, gates),
          bias_out(type, {4 * columns}) {
      unsigned seed = 1;
      for (OpTensor* tensor : {&input, &hidden, &c, &input_bias, &hidden_bias, &h_out}) tensor->fill_random(seed++);
    }

    std::int64_t gate_at(std::int64_t i, std::int64_t gate) const { return (i / size * 4 + gate) * size + i % size; }
  };

  static void expect_values(const OpTensor& out, const std::vector<std::byte>& bytes, const std::vector<Real>& values) {
    EXPECT_TRUE(out.only_elements_changed(bytes));
    ASSERT_EQ(static_cast<std::size_t>(out.count()), values.size());
    expect_elements(
        out, bytes, [&](std::int64_t i) -> Number { return values[static_cast<std::size_t>(i)]; }, false);
  }

  static void check_step(const Cell& s, bool first, bool second) {
    SCOPED_TRACE(testing::Message() << "dtype " << s.c.type());
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnThnnFusedLstmCellGetWorkspaceSize(
              s.input.get(), s.hidden.get(), s.c.get(), first ? s.input_bias.get() : nullptr,
              second ? s.hidden_bias.get() : nullptr, s.h_out.get(), s.c_out.get(), s.gates_out.get(), n, e);
        },
        aclnnThnnFusedLstmCell, {&s.input, &s.hidden, &s.c, &s.input_bias, &s.hidden_bias, &s.c_out, &s.gates_out},
        s.h_out);
    std::vector<Real> gates(static_cast<std::size_t>(s.input.count()));
    std::vector<Real> cells;
    std::vector<Real> hidden;
    const auto sum = [&](std::int64_t at) {
      const std::int64_t column = at % (4 * s.size);
      return s.input.before(at).real() + s.hidden.before(at).real() + (first ? s.input_bias.before(column).real() : 0) +
             (second ? s.hidden_bias.before(column).real() : 0);
    };
    for (std::int64_t i = 0; i < s.c.count(); ++i) {
      Real of[4];
      for (std::int64_t gate = 0; gate < 4; ++gate) {
        const Real x = sum(s.gate_at(i, gate));
        of[gate] = gate == 2 ? std::tanh(x) : sigmoid(x);
        gates[static_cast<std::size_t>(s.gate_at(i, gate))] = of[gate];
      }
      cells.push_back(of[1] * s.c.before(i).real() + of[0] * of[2]);
      hidden.push_back(of[3] * std::tanh(cells.back()));
    }
    expect_values(s.h_out, bytes, hidden);
    expect_values(s.c_out, s.c_out.download(), cells);
    expect_values(s.gates_out, s.gates_out.download(), gates);
  }

  static void check_gradient(aclDataType type, std::int64_t batch, std::int64_t size, bool has_dh, bool has_dc,
                             bool has_bias, const View& state = {}, const View& four = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << (has_dh ? ", dh" : "") << (has_dc ? ", dc" : ""));
    OpTensor dh(type, {batch, size});
    OpTensor dc(type, {batch, size}, state);
    OpTensor c(type, {batch, size});
    OpTensor c_next(type, {batch, size}, state);
    OpTensor gates(type, {batch, 4 * size}, four);
    unsigned seed = 1;
    for (OpTensor* tensor : {&dh, &dc, &c, &c_next}) tensor->fill_random(seed++);
    gates.fill([&](std::int64_t i) {
      const Real x = Real(i * 37 % 101 - 50) / 20;
      return i / size % 4 == 2 ? std::tanh(x) : sigmoid(x);
    });
    const OpTensor dgates(type, {batch, 4 * size}, four);
    const OpTensor dc_before(type, {batch, size});
    const OpTensor dbias(type, {4 * size});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
              has_dh ? dh.get() : nullptr, has_dc ? dc.get() : nullptr, c.get(), c_next.get(), gates.get(), has_bias,
              dgates.get(), dc_before.get(), has_bias ? dbias.get() : nullptr, n, e);
        },
        aclnnThnnFusedLstmCellBackward, {&dh, &dc, &c, &c_next, &gates, &dc_before, &dbias}, dgates);
    std::vector<Real> of_gates(static_cast<std::size_t>(4 * batch * size));
    std::vector<Real> of_bias(static_cast<std::size_t>(4 * size));
    std::vector<Real> of_c;
    for (std::int64_t element = 0; element < batch * size; ++element) {
      const auto at = [&](std::int64_t gate) { return (element / size * 4 + gate) * size + element % size; };
      const auto gate = [&](std::int64_t number) { return gates.before(at(number)).real(); };
      const Real t = std::tanh(c_next.before(element).real());
      const Real h = has_dh ? dh.before(element).real() : 0;
      const Real all = h * gate(3) * (1 - t * t) + (has_dc ? dc.before(element).real() : 0);
      const Real sums[] = {all * gate(2) * gate(0) * (1 - gate(0)),
                           all * c.before(element).real() * gate(1) * (1 - gate(1)),
                           all * gate(0) * (1 - gate(2) * gate(2)), h * t * gate(3) * (1 - gate(3))};
      for (std::int64_t number = 0; number < 4; ++number) {
        of_gates[static_cast<std::size_t>(at(number))] = sums[number];
        of_bias[static_cast<std::size_t>(number * size + element % size)] += sums[number];
      }
      of_c.push_back(all * gate(1));
    }
    expect_values(dgates, bytes, of_gates);
    expect_values(dc_before, dc_before.download(), of_c);
    if (!has_bias) {
      for (std::size_t i = 0; i < of_bias.size(); ++i) of_bias[i] = dbias.before(static_cast<std::int64_t>(i)).real();
    }
    expect_values(dbias, dbias.download(), of_bias);
  }
};

TEST_F(LstmCells, StepWithAndWithoutBiases) {
  for (const aclDataType type : kTypes) {
    for (const auto& [first, second] : {std::pair{true, true}, {false, false}, {true, false}, {false, true}}) {
      check_step(Cell(type, 5, 13), first, second);
    }
    check_step(Cell(type, 3, 64), true, true);
    check_step(Cell(type, 5, 7, {{1, 5}, 2}, {{60, 2}, 1}), true, true);
  }
  check_step(Cell(ACL_FLOAT, 2, 70001), true, true);
  check_step(Cell(ACL_FLOAT, 70001, 1), true, true);
  check_step(Cell(ACL_FLOAT, 0, 5), true, true);
}

TEST_F(LstmCells, NanStaysInItsElement) {
  Cell s(ACL_FLOAT, 3, 8);
  s.c.fill([](std::int64_t i) { return i == 9 ? std::numeric_limits<Real>::quiet_NaN() : Real(i) / 8; });
  s.input.fill([](std::int64_t i) { return i == 40 ? std::numeric_limits<Real>::infinity() : Real(i % 9 - 4); });
  check_step(s, true, true);
}

TEST_F(LstmCells, GradientsWithAndWithoutTheirParts) {
  for (const aclDataType type : kTypes) {
    for (unsigned bits = 0; bits < 8; ++bits) {
      check_gradient(type, 5, 13, (bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0);
    }
    check_gradient(type, 3, 64, true, true, true);
    check_gradient(type, 5, 7, true, true, true, {{1, 5}, 2}, {{60, 2}, 1});
  }
  check_gradient(ACL_FLOAT, 2, 70001, true, true, true);
  check_gradient(ACL_FLOAT, 70001, 1, true, true, false);
  check_gradient(ACL_FLOAT, 0, 5, true, true, true);
}

TEST_F(LstmCells, AreRefusedWhereShapesDoNotFit) {
  const OpTensor gates(ACL_FLOAT, {3, 20});
  const OpTensor state(ACL_FLOAT, {3, 5});
  const OpTensor cy(ACL_FLOAT, {3, 5});
  const OpTensor storage(ACL_FLOAT, {3, 20});
  const OpTensor bias(ACL_FLOAT, {20});
  const OpTensor hy(ACL_FLOAT, {3, 5});
  const OpTensor integers(ACL_INT32, {3, 20});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](auto* input, auto* cx, auto* one_bias, auto* next, auto* kept) {
    return aclnnThnnFusedLstmCellGetWorkspaceSize(input, gates.get(), cx, one_bias, nullptr, hy.get(), next, kept, &n,
                                                  &e);
  };
  aclTensor* none = nullptr;
  EXPECT_EQ(plan(none, state.get(), none, cy.get(), storage.get()), 161001);
  EXPECT_EQ(plan(gates.get(), none, none, cy.get(), storage.get()), 161001);
  EXPECT_EQ(plan(gates.get(), state.get(), none, none, storage.get()), 161001);
  EXPECT_EQ(plan(integers.get(), state.get(), none, cy.get(), storage.get()), 161002);
  EXPECT_EQ(plan(state.get(), state.get(), none, cy.get(), storage.get()), 161002);
  EXPECT_EQ(plan(gates.get(), bias.get(), none, cy.get(), storage.get()), 161002);
  EXPECT_EQ(plan(gates.get(), state.get(), state.get(), cy.get(), storage.get()), 161002);
  EXPECT_EQ(plan(gates.get(), state.get(), none, storage.get(), storage.get()), 161002);
  EXPECT_EQ(plan(gates.get(), state.get(), none, cy.get(), cy.get()), 161002);
  EXPECT_EQ(aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(nullptr, nullptr, state.get(), cy.get(), gates.get(), true,
                                                           storage.get(), hy.get(), nullptr, &n, &e),
            161001);
  EXPECT_EQ(aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(gates.get(), nullptr, state.get(), cy.get(), gates.get(),
                                                           false, storage.get(), hy.get(), nullptr, &n, &e),
            161002);
}

}  // namespace
}  // namespace aclvk::test
