#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/random_capture/generator.hpp"
#include "support/random_capture/interpreter.hpp"
#include "support/random_capture/machine.hpp"
#include "support/random_capture/program.hpp"
#include "support/random_capture/races.hpp"
#include "support/random_capture/text.hpp"

namespace aclvk::test::random_capture {

/// Returns the differences between device and host model, as sentences.
class Differences {
 public:
  Differences(const Program& program, const Machine& machine, const Interpreter& expected) : program_(program) {
    for (std::size_t cell = 0; cell < program.cells(); ++cell) {
      compare(cell, machine.read(cell), expected.cells()[cell]);
    }
    for (const auto& [op, values] : machine.seen()) {
      const auto known = expected.seen().find(op);
      compare_seen(op, values, known == expected.seen().end() ? std::vector<std::int32_t>{} : known->second);
    }
  }
  const std::string& text() const { return text_; }

 private:
  void compare(std::size_t cell, const std::vector<std::int32_t>& numbers, std::int32_t expected) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == expected) continue;
      text_ += cell_text(program_, cell) + " has " + std::to_string(numbers[i]) + " at " + std::to_string(i) +
               "; one task after the other leaves " + std::to_string(expected) + ".\n";
      return;
    }
  }

  void compare_seen(std::size_t op, const std::vector<std::int32_t>& values,
                    const std::vector<std::int32_t>& expected) {
    if (values == expected) return;
    text_ += "The host function of task " + std::to_string(op) + " saw" + list(values) +
             "; one task after the other shows it" + list(expected) + ".\n";
  }

  static std::string list(const std::vector<std::int32_t>& values) {
    std::string text;
    for (const std::int32_t value : values) text += " " + std::to_string(value);
    return values.empty() ? " nothing" : text;
  }

  const Program& program_;
  std::string text_;
};

/// Runs the program and compares all memory at each synchronisation. Returns an empty text when all is right. Throws
/// when the library refuses a call.
inline std::string compare(const Program& program) {
  auto machine = std::make_unique<Machine>(program);
  Interpreter expected(program);
  try {
    for (const Action& action : program.actions) {
      machine->act(action);
      expected.act(action);
      if (action.kind != Action::Kind::kSync) continue;
      const Differences differences(program, *machine, expected);
      if (!differences.text().empty()) return differences.text();
    }
  } catch (const std::exception&) {
    static_cast<void>(machine.release());  // what still runs needs it
    throw;
  }
  return {};
}

/// Shrinks a program: removes tasks, then edges, as long as it fails and is well-defined, for some seconds.
class Shrinker {
 public:
  explicit Shrinker(Program program) : program_(std::move(program)) {
    for (const Model& model : program_.models) {
      for_each_op(model.block, [&](const Op& op) {
        if (!op.fixed) tasks_.push_back({op.id});
        if (op.kind == Kind::kRecord) edges_[op.edge].push_back(op.id);
        if (op.kind == Kind::kWait) waits_.push_back({op.id});
        if (op.kind == Kind::kWait) edges_[op.edge].push_back(op.id);
      });
    }
  }

  Program shrink() {
    leave_out_actions();
    leave_out(tasks_);
    std::vector<Ids> edges;
    for (const auto& [edge, ids] : edges_) edges.push_back(ids);
    leave_out(edges);
    leave_out(waits_);
    leave_out(tasks_);
    return program_;
  }
  /// Returns the differences of the smallest program; empty when nothing could be removed.
  const std::string& differences() const { return differences_; }

 private:
  using Time = std::chrono::steady_clock;
  using Ids = std::vector<std::size_t>;

  bool in_time() const { return Time::now() < end_; }

  void leave_out_actions() {
    for (std::size_t i = 0; i + 1 < program_.actions.size() && in_time();) {
      Program smaller = program_;
      smaller.actions.erase(smaller.actions.begin() + static_cast<std::ptrdiff_t>(i));
      fails(smaller) ? static_cast<void>(program_ = smaller) : static_cast<void>(++i);
    }
  }

  // Tries to remove halves, then quarters, down to single parts, as delta debugging does (Zeller & Hildebrandt 2002).
  void leave_out(const std::vector<Ids>& parts) {
    for (std::size_t count = std::max<std::size_t>(parts.size() / 2, 1); in_time(); count /= 2) {
      for (std::size_t first = 0; first < parts.size() && in_time(); first += count) try_without(parts, first, count);
      if (count == 1) return;
    }
  }

  void try_without(const std::vector<Ids>& parts, std::size_t first, std::size_t count) {
    Program smaller = program_;
    for (std::size_t i = first; i < std::min(first + count, parts.size()); ++i) {
      smaller.left_out.insert(parts[i].begin(), parts[i].end());
    }
    if (smaller.left_out.size() > program_.left_out.size() && race_free(smaller) && fails(smaller)) program_ = smaller;
  }

  // Three attempts, because a task that starts too early is seen only sometimes.
  bool fails(const Program& program) try {
    for (int i = 0; i < 3; ++i) {
      const std::string differences = compare(program);
      if (differences.empty()) continue;
      differences_ = differences;
      return true;
    }
    return false;
  } catch (const std::exception&) {
    return false;  // fails in another way
  }

  Program program_;
  std::vector<Ids> tasks_, waits_;
  std::map<std::size_t, Ids> edges_;
  std::string differences_;
  const Time::time_point end_ = Time::now() + std::chrono::seconds(20);
};

/// Returns the differences of the program of this seed, and a smaller program with the same failure; empty when it is
/// right.
inline std::string check(unsigned seed) {
  const Program program = Generator(seed).make();
  if (!race_free(program)) return "The generator has made a program that is not well-defined:\n" + text(program);
  std::string differences;
  try {
    differences = compare(program);
  } catch (const std::exception& error) {
    return std::string(error.what()) + "\nThe program is\n" + text(program);
  }
  if (differences.empty()) return {};
  Shrinker shrinker(program);
  const Program smaller = shrinker.shrink();
  return differences + "The program is\n" + text(program) + "and this is left of it while it still fails:\n" +
         text(smaller) + shrinker.differences();
}

}  // namespace aclvk::test::random_capture
