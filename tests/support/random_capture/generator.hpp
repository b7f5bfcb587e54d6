#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/random_capture/program.hpp"

namespace aclvk::test::random_capture {

/// Numbers of resources that two tasks conflict on when one of them writes: first the cells, then the words.
using Resources = std::set<std::size_t>;
struct Use {
  Resources reads{};
  Resources writes{};
};

/// Numbers and names that all blocks of a program share.
struct Source {
  explicit Source(unsigned seed) : random(seed) { program.seed = seed; }

  std::size_t pick(std::size_t count) { return random() % count; }
  bool chance(std::size_t percent) { return pick(100) < percent; }
  std::size_t device_cell() { return pick(program.device_cells - program.control_cells); }
  std::size_t pinned_cell() { return program.device_cells + pick(program.pinned_cells); }
  std::size_t new_control_cell() { return program.device_cells - ++controls; }
  bool has_control_cell() const { return controls < program.control_cells; }
  std::size_t word(std::size_t number) const { return program.cells() + number; }

  std::mt19937 random;
  Program program;
  std::size_t controls = 0;
};

/// Generates a block. Each stream has a vector clock: an edge is added where a task conflicts with one that is not
/// before it. So the program has no race, and host model and device agree on each value.
class BlockMaker {
 public:
  BlockMaker(Source& source, std::vector<std::size_t> streams, std::size_t heads, std::size_t depth, bool built)
      : source_(source), depth_(depth), built_(built), lanes_(streams.size()) {
    block_.streams = std::move(streams);
    for (std::size_t lane = 0; lane < heads; ++lane) {
      lanes_[lane].joined = true;
      block_.heads.push_back(block_.streams[lane]);
    }
    for (Lane& lane : lanes_) lane.clock.assign(lanes_.size(), 0);
  }

  void add_random(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add_one(source_.pick(lanes_.size()));
  }

  /// The body of a WHILE ends with its counter.
  void count_down(std::size_t cell, std::size_t word) {
    add_fixed(0, Kind::kAdd, cell, cell, -1, {{cell}, {cell}});
    add_fixed(0, Kind::kSet, word, cell, 0, {{cell}, {source_.word(word)}});
  }

  /// Joins all streams of a captured block to the first one.
  void join() {
    for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
      if (lanes_[lane].joined) wait(0, new_record(lane, Means::kEvent));
    }
  }

  /// Adds the last task of the first stream of a built model: a switch of streams.
  void add_switch(std::size_t other) {
    join_if_needed(0);
    Op op = new_op(Kind::kSwitch, block_.streams[0]);
    op.in = source_.device_cell();
    op.out = source_.device_cell();
    Use use{{op.in, op.out}, {}};
    for (const std::size_t stream : {other, block_.streams[0]}) {
      BlockMaker branch(source_, {stream}, 1, 2, true);
      branch.add_random(1 + source_.pick(4));
      op.bodies.push_back(branch.take(use));
    }
    add(0, std::move(op), use);
  }

  /// Returns the block, and adds its resources to `use`.
  Block take(Use& use) {
    use.reads.insert(use_.reads.begin(), use_.reads.end());
    use.writes.insert(use_.writes.begin(), use_.writes.end());
    return std::move(block_);
  }

 private:
  struct TaskId {
    std::size_t lane = 0;
    std::size_t position = 0;
  };
  /// A record, and what comes before it.
  struct Record {
    std::size_t edge = 0;
    Means means = Means::kEvent;
    std::size_t position = 0;
    std::vector<std::size_t> clock{};
  };
  struct Lane {
    bool joined = false;
    std::size_t position = 0;          // number of tasks so far
    std::vector<std::size_t> clock{};  // of each lane, the number of tasks before the next one of this lane
    std::vector<Record> events{};      // any number of waits can follow
  };

  Op new_op(Kind kind, std::size_t stream) {
    Op op;
    op.kind = kind;
    op.id = source_.program.ops++;
    op.stream = stream;
    return op;
  }

  void add_one(std::size_t lane) {
    const std::size_t kind = source_.pick(100);
    if (kind < 10) return add_simple(lane, Kind::kFill);
    if (kind < 24) return add_simple(lane, Kind::kAdd);
    if (kind < 30) return add_simple(lane, Kind::kMultiply);
    if (kind < 54) return add_simple(lane, Kind::kCopy);
    if (kind < 60) return add(lane, new_op(Kind::kDelay, block_.streams[lane]), {});
    if (kind < 78) return add_simple(lane, Kind::kCall);
    if (kind < 84) return built_ ? add_simple(lane, Kind::kCopy) : add_group(lane);
    if (kind < 92 && depth_ < 2) return built_ ? add_loop(lane) : add_condition(lane);
    add_simple(lane, Kind::kCopy);
  }

  void add_simple(std::size_t lane, Kind kind) {
    Op op = new_op(kind, block_.streams[lane]);
    op.value = static_cast<std::int32_t>(source_.pick(7)) - 3;
    op.out = source_.device_cell();
    op.in = op.out;
    if (kind == Kind::kMultiply) op.value = op.value < 0 ? -1 : 3;
    if (kind == Kind::kCopy) pick_copy(op);
    if (kind == Kind::kCall) {
      op.in = source_.pinned_cell();
      op.out = source_.pinned_cell();
      op.modulo = source_.chance(30);
      op.sleep_us = source_.chance(30) ? static_cast<std::uint32_t>(source_.pick(1500)) : 0;
    }
    Use use{{op.in}, {op.out}};
    if (kind == Kind::kFill) use.reads.clear();
    add(lane, std::move(op), use);
  }

  void pick_copy(Op& op) {
    const std::size_t way = source_.pick(5);
    op.in = way < 2 ? source_.device_cell() : way < 4 ? source_.device_cell() : source_.pinned_cell();
    op.out = way < 3 ? source_.pinned_cell() : source_.device_cell();
    if (source_.program.pinned(op.in)) op.out = source_.device_cell();
    if (op.in == op.out) op.out = source_.pinned_cell();
  }

  void add_group(std::size_t lane) {
    Op op = new_op(Kind::kGroup, block_.streams[lane]);
    Use use;
    const std::size_t kernels = 1 + source_.pick(3);
    for (std::size_t i = 0; i < kernels; ++i) {
      op.changes.push_back({source_.chance(30), source_.device_cell(), static_cast<std::int32_t>(source_.pick(5)) - 2});
      use.writes.insert(op.changes.back().out);
    }
    add(lane, std::move(op), use);
  }

  void add_fixed(std::size_t lane, Kind kind, std::size_t out, std::size_t in, std::int32_t value, const Use& use) {
    join_if_needed(lane);
    Op op = new_op(kind, block_.streams[lane]);
    op.out = out;
    op.in = in;
    op.value = value;
    op.fixed = true;
    add(lane, std::move(op), use);
  }

  /// A counter of iterations, set on the lane.
  std::size_t add_counter(std::size_t lane, std::int32_t iterations) {
    const std::size_t cell = source_.new_control_cell();
    add_fixed(lane, Kind::kFill, cell, cell, 0, {{}, {cell}});
    add_fixed(lane, Kind::kAdd, cell, cell, iterations, {{cell}, {cell}});
    return cell;
  }

  void add_loop(std::size_t lane) {
    if (!source_.has_control_cell()) return;
    const std::size_t cell = add_counter(lane, 1 + static_cast<std::int32_t>(source_.pick(3)));
    Op op = new_op(Kind::kLoop, block_.streams[lane]);
    op.in = cell;
    BlockMaker body(source_, {block_.streams[lane]}, 1, 2, true);
    body.add_random(1 + source_.pick(5));
    body.add_fixed(0, Kind::kAdd, cell, cell, -1, {{cell}, {cell}});
    Use use;
    op.bodies.push_back(body.take(use));
    add(lane, std::move(op), use);
  }

  // The word is set on one stream, and decides on another.
  void add_condition(std::size_t lane) {
    if (!source_.has_control_cell()) return;
    Op op = new_op(Kind::kCondition, block_.streams[lane]);
    op.choice = static_cast<Choice>(source_.pick(3));
    op.in = source_.program.words++;
    const std::size_t setter = source_.pick(lanes_.size());
    const bool loops = op.choice == Choice::kWhile;
    std::size_t control = 0;
    if (loops) {
      control = add_counter(setter, static_cast<std::int32_t>(source_.pick(4)));
    } else {
      control = source_.chance(50) ? source_.pinned_cell() : source_.device_cell();
      if (source_.chance(30)) op.assigned = static_cast<std::uint32_t>(source_.pick(3));
    }
    if (loops || !op.assigned) {
      add_fixed(setter, Kind::kSet, op.in, control, 0, {{control}, {source_.word(op.in)}});
    }
    Use use{{source_.word(op.in)}, {}};
    const std::size_t bodies = loops ? 1 : op.choice == Choice::kIf ? 1 + source_.pick(2) : 1 + source_.pick(3);
    for (std::size_t i = 0; i < bodies; ++i) op.bodies.push_back(make_body(op, control, use));
    add(lane, std::move(op), use);
  }

  Block make_body(const Op& op, std::size_t control, Use& use) {
    const std::size_t first = kMainStreams + depth_ * kBodyStreams;
    std::vector<std::size_t> streams;
    const std::size_t count = 1 + source_.pick(kBodyStreams);
    for (std::size_t i = 0; i < count; ++i) streams.push_back(first + i);
    BlockMaker body(source_, streams, 1, depth_ + 1, false);
    body.add_random(source_.pick(8));
    if (op.choice == Choice::kWhile) body.count_down(control, op.in);
    body.join();
    return body.take(use);
  }

  // Order

  void add(std::size_t lane, Op op, const Use& use) {
    join_if_needed(lane);
    order(lane, use);
    block_.ops.push_back(std::move(op));
    Lane& here = lanes_[lane];
    here.clock[lane] = ++here.position;
    for (const std::size_t read : use.reads) readers_[read].push_back({lane, here.position});
    for (const std::size_t written : use.writes) {
      writers_[written] = {lane, here.position};
      readers_[written].clear();
    }
    use_.reads.insert(use.reads.begin(), use.reads.end());
    use_.writes.insert(use.writes.begin(), use.writes.end());
    if (source_.chance(25)) here.events.push_back(new_record(lane, Means::kEvent));
  }

  void order(std::size_t lane, const Use& use) {
    for (const std::size_t read : use.reads) come_after_writer(lane, read);
    for (const std::size_t written : use.writes) {
      come_after_writer(lane, written);
      const std::vector<TaskId> readers = readers_[written];
      for (const TaskId& reader : readers) come_after(lane, reader);
    }
  }

  void come_after_writer(std::size_t lane, std::size_t resource) {
    const auto writer = writers_.find(resource);
    if (writer != writers_.end()) come_after(lane, writer->second);
  }

  void come_after(std::size_t lane, const TaskId& task) {
    if (task.lane == lane || lanes_[lane].clock[task.lane] >= task.position) return;
    for (const Record& record : lanes_[task.lane].events) {
      if (record.position >= task.position) return wait(lane, record);
    }
    const Means means = source_.chance(60) ? Means::kEvent : static_cast<Means>(1 + source_.pick(3));
    wait(lane, new_record(task.lane, means));
  }

  // A stream joins a capture by a wait for an event; one of a built model is started by another, or with the model.
  void join_if_needed(std::size_t lane) {
    if (lanes_[lane].joined) return;
    std::vector<std::size_t> joined;
    for (std::size_t other = 0; other < lanes_.size(); ++other) {
      if (lanes_[other].joined) joined.push_back(other);
    }
    const std::size_t from = joined[source_.pick(joined.size())];
    if (built_) {
      Op op = new_op(Kind::kActivate, block_.streams[from]);
      op.out = block_.streams[lane];
      op.fixed = true;
      block_.ops.push_back(std::move(op));
      lanes_[lane].clock = lanes_[from].clock;
    } else {
      wait(lane, new_record(from, Means::kEvent));
    }
    lanes_[lane].joined = true;
  }

  Record new_record(std::size_t lane, Means means) {
    const Record record{source_.program.edges++, means, lanes_[lane].position, lanes_[lane].clock};
    add_edge_op(Kind::kRecord, lane, record);
    return record;
  }

  void wait(std::size_t lane, const Record& record) {
    add_edge_op(Kind::kWait, lane, record);
    for (std::size_t other = 0; other < lanes_.size(); ++other) {
      lanes_[lane].clock[other] = std::max(lanes_[lane].clock[other], record.clock[other]);
    }
  }

  void add_edge_op(Kind kind, std::size_t lane, const Record& record) {
    Op op = new_op(kind, block_.streams[lane]);
    op.means = record.means;
    op.edge = record.edge;
    op.fixed = true;
    block_.ops.push_back(std::move(op));
  }

 public:
  static constexpr std::size_t kMainStreams = 6;
  static constexpr std::size_t kBodyStreams = 3;  // of each depth, of which there are two
  static constexpr std::size_t kCapturedStreams = kMainStreams + 2 * kBodyStreams;
  static constexpr std::size_t kBuiltStreams = 5;  // of each model
  static_assert(kCapturedStreams == kFirstBuiltStream);

 private:
  Source& source_;
  const std::size_t depth_;
  const bool built_;
  Block block_;
  std::vector<Lane> lanes_;
  std::map<std::size_t, TaskId> writers_;
  std::map<std::size_t, std::vector<TaskId>> readers_;
  Use use_;
};

/// A program of one or two models, which share their memory, and of some runs of them.
class Generator {
 public:
  explicit Generator(unsigned seed) : source_(seed) {}

  Program make() {
    Program& program = source_.program;
    program.control_cells = 8;
    program.device_cells = 2 + source_.pick(5) + program.control_cells;
    program.pinned_cells = 1 + source_.pick(4);
    const std::size_t sizes[] = {8, 1024, 1 << 16, 1 << 18};
    program.elements = sizes[source_.pick(4)];
    const std::size_t models = 1 + source_.pick(2);
    program.streams = BlockMaker::kCapturedStreams + models * BlockMaker::kBuiltStreams;
    for (std::size_t i = 0; i < models; ++i) {
      program.models.push_back(source_.chance(30) ? make_built(i) : make_captured());
    }
    add_actions();
    return program;
  }

 private:
  Model make_captured() {
    std::vector<std::size_t> streams;
    const std::size_t count = 2 + source_.pick(BlockMaker::kMainStreams - 1);
    for (std::size_t i = 0; i < count; ++i) streams.push_back(i);
    BlockMaker maker(source_, streams, 1, 0, false);
    maker.add_random(4 + source_.pick(30));
    maker.join();
    Use use;
    return {false, maker.take(use)};
  }

  Model make_built(std::size_t number) {
    const std::size_t first = BlockMaker::kCapturedStreams + number * BlockMaker::kBuiltStreams;
    std::vector<std::size_t> streams;
    const std::size_t count = 2 + source_.pick(BlockMaker::kBuiltStreams - 2);
    for (std::size_t i = 0; i < count; ++i) streams.push_back(first + i);
    BlockMaker maker(source_, streams, 1 + source_.pick(count), 0, true);
    maker.add_random(4 + source_.pick(30));
    if (source_.chance(30)) maker.add_switch(first + BlockMaker::kBuiltStreams - 1);
    Use use;
    return {true, maker.take(use)};
  }

  // Several runs are in flight before the program waits.
  void add_actions() {
    Program& program = source_.program;
    std::vector<const Op*> groups;
    for (const Model& model : program.models) {
      for_each_op(model.block, [&](const Op& op) {
        if (op.kind == Kind::kGroup) groups.push_back(&op);
      });
    }
    for (int round = 0; round < 2; ++round) {
      const std::size_t count = 1 + source_.pick(4);
      for (std::size_t i = 0; i < count; ++i) {
        if (source_.chance(30)) add_between(groups);
        program.actions.push_back({Action::Kind::kRun, source_.pick(program.models.size())});
      }
      program.actions.push_back({Action::Kind::kSync});
    }
  }

  void add_between(const std::vector<const Op*>& groups) {
    Action action;
    if (groups.empty() || source_.chance(40)) {
      action.kind = Action::Kind::kAdd;
      action.out = source_.device_cell();
      action.values.push_back(1 + static_cast<std::int32_t>(source_.pick(5)));
    } else {
      const Op& group = *groups[source_.pick(groups.size())];
      action.kind = Action::Kind::kUpdate;
      action.op = group.id;
      for (std::size_t i = 0; i < group.changes.size(); ++i) {
        action.values.push_back(static_cast<std::int32_t>(source_.pick(7)) - 3);
      }
    }
    source_.program.actions.push_back(std::move(action));
  }

  Source source_;
};

}  // namespace aclvk::test::random_capture
