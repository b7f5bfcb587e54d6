#include "capture/graph/schedule.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "runtime/task/device_work.hpp"

namespace aclvk::capture {
namespace {

/// The number of host steps of each lane that precede a node on any path. It identifies the set of them, because the
/// host steps of a lane are totally ordered. (A vector clock: Fidge 1988, Mattern 1989; host steps are the events.)
using VectorClock = std::vector<std::uint32_t>;

/// The predecessors of the next node of a lane.
struct Frontier {
  VectorClock clock;
  std::vector<std::uint32_t> units;  // units of its direct predecessors; sorted
};

void merge(Frontier& into, const Frontier& other) {
  for (std::size_t lane = 0; lane < into.clock.size(); ++lane) {
    into.clock[lane] = std::max(into.clock[lane], other.clock[lane]);
  }
  std::vector<std::uint32_t> units;
  std::set_union(into.units.begin(), into.units.end(), other.units.begin(), other.units.end(),
                 std::back_inserter(units));
  into.units = std::move(units);
}

/// Visits the nodes in capture order and propagates frontiers along lanes and edges from records to waits. Device work
/// with equal clocks waits for the same host steps and becomes one unit, a segment.
class Partitioner {
 public:
  explicit Partitioner(const Graph& graph)
      : graph_(graph), frontiers_(graph.lanes().size(), {VectorClock(graph.lanes().size(), 0), {}}) {}

  std::vector<Unit> partition() REQUIRES(runtime::scheduler_mutex) {
    for (NodeId id = 0; id < graph_.nodes().size(); ++id) add(id);
    return in_order();
  }

 private:
  // A wait merges the frontier that its record has seen. A disabled node has no effect, and neither has the edge that
  // ends at it.
  void add(NodeId id) REQUIRES(runtime::scheduler_mutex) {
    const Node& node = graph_.node(id);
    Frontier& frontier = frontiers_[node.lane];
    if (!node.disabled) {
      if (node.record != kNoNode) merge(frontier, frontier_at_record_.at(node.record));
      if (is_host_step(node.task)) return add_step(id, frontier);
      if (runtime::is_device_work(node.task)) return add_work(id, frontier);
    }
    if (std::holds_alternative<runtime::EventRecordTask>(node.task)) frontier_at_record_.emplace(id, frontier);
  }

  void add_step(NodeId id, Frontier& frontier) REQUIRES(runtime::scheduler_mutex) {
    const std::uint32_t unit = new_unit(frontier.clock);
    units_[unit].step = id;
    link(unit, frontier);
    ++frontier.clock[graph_.node(id).lane];
  }

  void add_work(NodeId id, Frontier& frontier) {
    const auto found = segments_.find(frontier.clock);
    const std::uint32_t unit = found != segments_.end() ? found->second : new_unit(frontier.clock);
    if (found == segments_.end()) segments_.emplace(frontier.clock, unit);
    units_[unit].work.push_back(id);
    link(unit, frontier);
  }

  std::uint32_t new_unit(const VectorClock& clock) {
    units_.emplace_back();
    clock_sums_.push_back(std::accumulate(clock.begin(), clock.end(), std::uint64_t{0}));
    return static_cast<std::uint32_t>(units_.size() - 1);
  }

  // Clocks alone do not order units: a host step after a segment of another lane has the segment's clock when no other
  // step is between them. So units have explicit edges, too.
  void link(std::uint32_t unit, Frontier& frontier) {
    for (const std::uint32_t before : frontier.units) {
      if (before != unit) units_[unit].predecessors.push_back(before);
    }
    frontier.units.assign(1, unit);
  }

  // Sorts the units topologically. A predecessor has a smaller clock, hence a smaller sum; only the segment right
  // before a host step may have the step's clock, so segments precede steps.
  std::vector<Unit> in_order() {
    std::vector<std::uint32_t> order(units_.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto rank = [&](std::uint32_t unit) { return std::pair(clock_sums_[unit], units_[unit].is_step()); };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    std::vector<std::uint32_t> position(units_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::vector<Unit> sorted;
    sorted.reserve(units_.size());
    for (const std::uint32_t unit : order) sorted.push_back(std::move(units_[unit]));
    for (std::uint32_t i = 0; i < sorted.size(); ++i) {
      renumber(sorted[i].predecessors, position);
      for (const std::uint32_t before : sorted[i].predecessors) sorted[before].successors.push_back(i);
    }
    return sorted;
  }

  static void renumber(std::vector<std::uint32_t>& units, const std::vector<std::uint32_t>& position) {
    for (std::uint32_t& unit : units) unit = position[unit];
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
  }

  const Graph& graph_;
  std::vector<Frontier> frontiers_;                // by lane
  std::map<NodeId, Frontier> frontier_at_record_;  // by event record; waits merge it
  std::map<VectorClock, std::uint32_t> segments_;  // the unit of device work with this clock
  std::vector<Unit> units_;
  std::vector<std::uint64_t> clock_sums_;  // by unit: the sum of the clock's components
};

}  // namespace

std::vector<Unit> partition(const Graph& graph) { return Partitioner(graph).partition(); }

}  // namespace aclvk::capture
