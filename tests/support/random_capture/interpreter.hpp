#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "support/random_capture/program.hpp"

namespace aclvk::test::random_capture {

/// What host functions have seen: of each, the values in the order of its calls.
using Seen = std::map<std::size_t, std::vector<std::int32_t>>;

/// What `value` becomes in a cell when a memset writes its lowest byte.
inline std::int32_t filled(std::int32_t value) {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(value) & 0xFFU) * 0x01010101U);
}
inline std::int32_t sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
inline std::int32_t product(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}
/// What a host function leaves.
inline std::int32_t called(const Op& op, std::int32_t in) {
  const std::int32_t value = sum(product(3, in), op.value);
  return op.modulo ? value & 3 : value;
}

/// The host model: does one task after the other, on one number for each cell.
class Interpreter {
 public:
  explicit Interpreter(const Program& program) : program_(program), words_(program.words, 0) {
    for (std::size_t cell = 0; cell < program.cells(); ++cell) cells_.push_back(program.first_value(cell));
  }

  void act(const Action& action) {
    switch (action.kind) {
      case Action::Kind::kRun: return run(program_.models[action.model]);
      case Action::Kind::kUpdate: changed_[action.op] = action.values; return;
      case Action::Kind::kAdd: cells_[action.out] = sum(cells_[action.out], action.values.front()); return;
      case Action::Kind::kSync: return;
    }
  }

  const std::vector<std::int32_t>& cells() const { return cells_; }
  const Seen& seen() const { return seen_; }

 private:
  static constexpr int kMaxIterations = 1000;  // no program has as many; a mistake of the generator must not hang

  void run(const Model& model) {
    for_each_op(model.block, [&](const Op& op) {
      if (op.kind == Kind::kCondition && op.assigned && program_.has(op)) words_[op.in] = *op.assigned;
    });
    run(model.block);
  }

  void run(const Block& block) {
    for (const Op& op : block.ops) {
      if (program_.has(op)) run(op);
    }
  }

  void run(const Op& op) {
    switch (op.kind) {
      case Kind::kFill: cells_[op.out] = filled(op.value); return;
      case Kind::kAdd: cells_[op.out] = sum(cells_[op.out], op.value); return;
      case Kind::kMultiply: cells_[op.out] = product(cells_[op.out], op.value); return;
      case Kind::kCopy: cells_[op.out] = cells_[op.in]; return;
      case Kind::kCall:
        seen_[op.id].push_back(cells_[op.in]);
        cells_[op.out] = called(op, cells_[op.in]);
        return;
      case Kind::kSet: words_[op.out] = static_cast<std::uint32_t>(cells_[op.in]); return;
      case Kind::kGroup: return change(op);
      case Kind::kCondition: return choose(op);
      case Kind::kLoop:
        for (int turn = 0; turn == 0 || (cells_[op.in] != 0 && turn < kMaxIterations); ++turn) run(op.bodies[0]);
        return;
      case Kind::kSwitch: return run(op.bodies[cells_[op.in] == cells_[op.out] ? 0 : 1]);
      case Kind::kDelay:
      case Kind::kRecord:
      case Kind::kWait:
      case Kind::kActivate: return;
    }
  }

  void change(const Op& op) {
    const auto values = changed_.find(op.id);
    for (std::size_t i = 0; i < op.changes.size(); ++i) {
      const Change& change = op.changes[i];
      const std::int32_t value = values == changed_.end() ? change.value : values->second[i];
      std::int32_t& cell = cells_[change.out];
      cell = change.multiplies ? product(cell, value) : sum(cell, value);
    }
  }

  void choose(const Op& op) {
    const std::uint64_t word = words_[op.in];
    if (op.choice == Choice::kWhile) {
      for (int turn = 0; words_[op.in] != 0 && turn < kMaxIterations; ++turn) run(op.bodies[0]);
      return;
    }
    const std::uint64_t body = op.choice == Choice::kSwitch ? word : word != 0 ? 0 : 1;
    if (body < op.bodies.size()) run(op.bodies[body]);
  }

  const Program& program_;
  std::vector<std::int32_t> cells_;
  std::vector<std::uint64_t> words_;
  std::map<std::size_t, std::vector<std::int32_t>> changed_;
  Seen seen_;
};

}  // namespace aclvk::test::random_capture
