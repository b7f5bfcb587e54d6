#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/queue/route.hpp"

namespace aclvk::runtime {

/// Which queue passes its messages on to which: a graph without circles, in the order in which its edges were added.
/// Not thread safe.
class Routing {
 public:
  /// Does nothing when the route is there. kInvalidParam when it closes a circle.
  void add(std::uint32_t source, std::uint32_t target);
  void remove(std::uint32_t source, std::uint32_t target);
  /// All routes from and to a queue.
  void remove_queue(std::uint32_t id);

  std::vector<std::uint32_t> targets_of(std::uint32_t source) const;
  /// Each once.
  std::vector<std::uint32_t> sources() const;
  /// kInvalidParam for a query that lacks its mode or an id that the mode needs.
  std::vector<Route> find(const RouteQuery& query) const;

 private:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  bool has_path(std::uint32_t from, std::uint32_t to) const;

  std::vector<Edge> edges_;
};

}  // namespace aclvk::runtime
