#include "runtime/queue/routing.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "runtime/queue/queue.hpp"

namespace aclvk::runtime {
namespace {

/// The values of acltdtQueueRouteQueryMode.
enum Mode : int { kBySource = 0, kByTarget = 1, kByBoth = 2, kAbnormal = 100 };

void check_complete(const RouteQuery& query) {
  check_query_mode(query.mode);
  const bool needs_source = query.mode == kBySource || query.mode == kByBoth;
  const bool needs_target = query.mode == kByTarget || query.mode == kByBoth;
  check(!needs_source || query.has_source, Code::kInvalidParam, "A query of mode {} needs the id of a source.",
        query.mode);
  check(!needs_target || query.has_target, Code::kInvalidParam, "A query of mode {} needs the id of a target.",
        query.mode);
}

bool asks_for(const RouteQuery& query, std::uint32_t source, std::uint32_t target) {
  switch (query.mode) {
    case kBySource: return source == query.source;
    case kByTarget: return target == query.target;
    case kByBoth: return source == query.source && target == query.target;
    default: return false;  // no route is abnormal, since both queues are in this process
  }
}

}  // namespace

void check_query_mode(int mode) {
  check((mode >= kBySource && mode <= kByBoth) || mode == kAbnormal, Code::kInvalidParam,
        "The mode of the query is {}; SRC (0), DST (1), SRC_AND_DST (2) or ABNORMAL (100) is expected.", mode);
}

void Routing::add(std::uint32_t source, std::uint32_t target) {
  if (std::find(edges_.begin(), edges_.end(), Edge{source, target}) != edges_.end()) return;
  check(!has_path(target, source), Code::kInvalidParam,
        "A route from queue {} to queue {} closes a circle, in which messages would run for ever.", source, target);
  edges_.emplace_back(source, target);
}

void Routing::remove(std::uint32_t source, std::uint32_t target) {
  edges_.erase(std::remove(edges_.begin(), edges_.end(), Edge{source, target}), edges_.end());
}

void Routing::remove_queue(std::uint32_t id) {
  const auto touches = [&](const Edge& edge) { return edge.first == id || edge.second == id; };
  edges_.erase(std::remove_if(edges_.begin(), edges_.end(), touches), edges_.end());
}

std::vector<std::uint32_t> Routing::targets_of(std::uint32_t source) const {
  std::vector<std::uint32_t> targets;
  for (const auto& [from, to] : edges_) {
    if (from == source) targets.push_back(to);
  }
  return targets;
}

std::vector<std::uint32_t> Routing::sources() const {
  std::vector<std::uint32_t> sources;
  for (const Edge& edge : edges_) sources.push_back(edge.first);
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return sources;
}

std::vector<Route> Routing::find(const RouteQuery& query) const {
  check_complete(query);
  std::vector<Route> routes;
  for (const auto& [source, target] : edges_) {
    if (asks_for(query, source, target)) routes.push_back({source, target, RouteStatus::kBound});
  }
  return routes;
}

// Breadth-first search. Visits each queue once, since the number of paths can be exponential.
bool Routing::has_path(std::uint32_t from, std::uint32_t to) const {
  std::vector<std::uint32_t> reached{from};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == to) return true;
    for (const std::uint32_t next : targets_of(reached[i])) {
      if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
    }
  }
  return false;
}

}  // namespace aclvk::runtime
