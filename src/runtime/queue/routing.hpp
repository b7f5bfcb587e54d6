#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/queue/route.hpp"

namespace aclvk::runtime {

/// The routes between queues: a directed acyclic graph, with its edges in the order in which they were added. Not
/// thread safe.
class Routing {
 public:
  /// Does nothing when the route exists. Throws kInvalidParam when it would close a cycle.
  void add(std::uint32_t source, std::uint32_t target);
  void remove(std::uint32_t source, std::uint32_t target);
  /// Removes all routes from and to a queue.
  void remove_queue(std::uint32_t id);

  std::vector<std::uint32_t> targets_of(std::uint32_t source) const;
  /// Returns the sources of all routes, without duplicates.
  std::vector<std::uint32_t> sources() const;
  /// Throws kInvalidParam for a query without its mode or an id that the mode requires.
  std::vector<Route> find(const RouteQuery& query) const;

 private:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  bool has_path(std::uint32_t from, std::uint32_t to) const;

  std::vector<Edge> edges_;
};

}  // namespace aclvk::runtime
