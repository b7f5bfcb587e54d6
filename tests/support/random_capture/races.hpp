#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "support/random_capture/program.hpp"

// Decides whether a program is well-defined, from the finished program alone: so it checks the generator, too, and
// programs that have been shrunk.
namespace aclvk::test::random_capture {

/// The resources of a task: first the cells, then the words.
struct Touched {
  std::set<std::size_t> reads{};
  std::set<std::size_t> writes{};
};

inline void touch(const Program& program, const Block& block, Touched& all);

inline Touched touched(const Program& program, const Op& op) {
  Touched touched;
  const auto word = [&](std::size_t number) { return program.cells() + number; };
  switch (op.kind) {
    case Kind::kFill: touched.writes = {op.out}; break;
    case Kind::kAdd:
    case Kind::kMultiply: touched.writes = {op.out}; break;
    case Kind::kCopy:
    case Kind::kCall: touched = {{op.in}, {op.out}}; break;
    case Kind::kSet: touched = {{op.in}, {word(op.out)}}; break;
    case Kind::kCondition: touched.reads = {word(op.in)}; break;
    case Kind::kLoop: touched.reads = {op.in}; break;
    case Kind::kSwitch: touched.reads = {op.in, op.out}; break;
    case Kind::kGroup:
      for (const Change& change : op.changes) touched.writes.insert(change.out);
      break;
    case Kind::kDelay:
    case Kind::kRecord:
    case Kind::kWait:
    case Kind::kActivate: break;
  }
  for (const Block& body : op.bodies) touch(program, body, touched);
  return touched;
}

inline void touch(const Program& program, const Block& block, Touched& all) {
  for (const Op& op : block.ops) {
    if (!program.has(op)) continue;
    const Touched one = touched(program, op);
    all.reads.insert(one.reads.begin(), one.reads.end());
    all.writes.insert(one.writes.begin(), one.writes.end());
  }
}

/// The order between the tasks of one block.
class Order {
 public:
  Order(const Program& program, const Block& block) : program_(program), block_(block) {}

  /// Returns whether no two unordered tasks touch the same memory, one of them writing, in this block and all bodies.
  bool race_free() {
    for (const Op& op : block_.ops) {
      if (!program_.has(op)) continue;
      if (!look(op)) return false;
      for (const Block& body : op.bodies) {
        if (!Order(program_, body).race_free()) return false;
      }
    }
    return joined();
  }

 private:
  /// Vector clock: how many tasks of each stream come before.
  using Clock = std::map<std::size_t, std::size_t>;
  struct Past {
    std::size_t stream;
    std::size_t number;
    Touched touched;
  };

  static void merge(Clock& into, const Clock& other) {
    for (const auto& [stream, number] : other) into[stream] = std::max(into[stream], number);
  }

  /// Adds a task. Returns false when a conflicting task is not before it, or it cannot be launched.
  bool look(const Op& op) {
    if (captured() && op.kind != Kind::kWait && op.stream != block_.streams.front() && now_.count(op.stream) == 0) {
      return false;  // the stream would not have joined the capture
    }
    Clock& now = now_[op.stream];
    if (op.kind == Kind::kWait) {
      if (at_record_.count(op.edge) == 0) return false;
      merge(now, at_record_.at(op.edge));
    }
    const Touched touched = random_capture::touched(program_, op);
    for (const Past& past : past_) {
      if (past.stream != op.stream && now[past.stream] < past.number && conflict(past.touched, touched)) return false;
    }
    ++now[op.stream];
    past_.push_back({op.stream, now[op.stream], touched});
    if (op.kind == Kind::kRecord) at_record_[op.edge] = now;
    if (op.kind == Kind::kActivate) merge(now_[op.out], now);
    return true;
  }

  static bool meet(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
    return std::any_of(a.begin(), a.end(), [&](std::size_t one) { return b.count(one) > 0; });
  }
  static bool conflict(const Touched& a, const Touched& b) {
    return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
  }

  bool captured() const { return block_.streams.front() < kFirstBuiltStream; }

  // The streams of a built model end each by itself.
  bool joined() {
    if (!captured()) return true;
    const Clock& end = now_[block_.streams.front()];
    return std::all_of(now_.begin(), now_.end(), [&](const auto& stream) {
      const auto known = end.find(stream.first);
      const std::size_t tasks = stream.second.count(stream.first) ? stream.second.at(stream.first) : 0;
      return (known == end.end() ? 0 : known->second) >= tasks;
    });
  }

  const Program& program_;
  const Block& block_;
  std::map<std::size_t, Clock> now_;
  std::map<std::size_t, Clock> at_record_;
  std::vector<Past> past_;
};

inline bool race_free(const Program& program) {
  return std::all_of(program.models.begin(), program.models.end(),
                     [&](const Model& model) { return Order(program, model.block).race_free(); });
}

}  // namespace aclvk::test::random_capture
