#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Random programs of captured and built models. A program is free of races, so the interpreter (interpreter.hpp), which
// runs one step after the other, computes the final memory.
namespace aclvk::test::random_capture {

enum class Kind {
  kFill,       ///< out = value, by a memset
  kAdd,        ///< out += value
  kMultiply,   ///< out *= value
  kCopy,       ///< out = in
  kDelay,      ///< device work on memory that nothing else uses
  kCall,       ///< a host function: stores `in`, sleeps, and sets out = 3 * in + value, or that modulo 4
  kSet,        ///< the word `out` = in
  kGroup,      ///< additions and multiplications that updates change
  kCondition,  ///< IF, WHILE or SWITCH by the word `in`, with a body for each choice
  kRecord,     ///< releases the waits of the same edge
  kWait,
  kLoop,      ///< the body again and again, by a label, until the cell `in` is 0
  kActivate,  ///< starts the stream `out`
  kSwitch,    ///< continues with the first body on its stream where `in` equals `out`, else with the second
};
enum class Means { kEvent, kNotify, kExternal, kWord };
enum class Choice { kIf, kWhile, kSwitch };

/// Streams from this one on are those of built models.
constexpr std::size_t kFirstBuiltStream = 12;

/// One kernel of a group.
struct Change {
  bool multiplies = false;
  std::size_t out = 0;
  std::int32_t value = 0;
};

struct Block;

/// Device cells come first, then pinned ones.
struct Op {
  Kind kind = Kind::kDelay;
  std::size_t id = 0;
  std::size_t stream = 0;
  std::size_t out = 0;
  std::size_t in = 0;
  std::int32_t value = 0;
  bool modulo = false;         ///< of a host function
  std::uint32_t sleep_us = 0;  ///< of a host function
  Means means = Means::kEvent;
  std::size_t edge = 0;
  Choice choice = Choice::kIf;
  std::optional<std::uint32_t> assigned{};  ///< the default value of the word
  std::vector<Change> changes{};
  std::vector<Block> bodies{};
  bool fixed = false;  ///< the program is not well-defined without it
};

/// Tasks in a topological order. The first stream of a captured block is the origin.
struct Block {
  std::vector<std::size_t> streams{};
  std::vector<std::size_t> heads{};  ///< of a built model: the streams that start with it
  std::vector<Op> ops{};
};

struct Model {
  bool built = false;
  Block block{};
};

/// A step of the program after its models have been made, on one stream.
struct Action {
  enum class Kind { kRun, kUpdate, kAdd, kSync } kind = Kind::kSync;
  std::size_t model = 0;
  std::size_t op = 0;  ///< the group
  std::size_t out = 0;
  std::vector<std::int32_t> values{};
};

struct Program {
  unsigned seed = 0;
  std::size_t device_cells = 0;
  std::size_t pinned_cells = 0;
  std::size_t control_cells = 0;  ///< the last of the device cells; they begin with 0
  std::size_t elements = 0;       ///< of each cell
  std::size_t streams = 0;
  std::size_t words = 0;
  std::size_t edges = 0;
  std::size_t ops = 0;
  std::vector<Model> models{};
  std::vector<Action> actions{};
  std::set<std::size_t> left_out{};  ///< ops, while the program is made smaller

  std::size_t cells() const { return device_cells + pinned_cells; }
  bool pinned(std::size_t cell) const { return cell >= device_cells; }
  bool has(const Op& op) const { return left_out.count(op.id) == 0; }
  std::int32_t first_value(std::size_t cell) const {
    const bool control = !pinned(cell) && cell >= device_cells - control_cells;
    return control ? 0 : static_cast<std::int32_t>(cell) + 1;
  }
};

template <typename Visit>
void for_each_op(const Block& block, Visit&& visit) {
  for (const Op& op : block.ops) {
    visit(op);
    for (const Block& body : op.bodies) for_each_op(body, visit);
  }
}

}  // namespace aclvk::test::random_capture
