#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

// The objects by which programs describe queues and the connections between them. Plain data: an object belongs to the
// thread that fills it.

/// acltdtQueueAttr.
struct QueueAttributes {
  std::string name;
  std::uint32_t depth = 8;
};

/// How a route stands when a list is bound, unbound or filled; it does not follow later changes. The values are those
/// of ACL_TDT_QUEUE_ROUTE_*.
enum class RouteStatus : std::int32_t { kUnbound = 0, kBound = 1 };

/// acltdtQueueRoute: what is put into queue `source` goes to queue `target`.
struct Route {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  RouteStatus status = RouteStatus::kUnbound;
};

/// acltdtQueueRouteList.
struct RouteList {
  std::vector<Route> routes;
};

/// acltdtQueueRouteQueryInfo: which of the bound routes are asked for.
struct RouteQuery {
  int mode = -1;
  bool has_source = false;
  bool has_target = false;
  std::uint32_t source = 0;
  std::uint32_t target = 0;
};

using QueueAttributesHandles = HandleTable<QueueAttributes, HandleTag::kQueueAttributes>;
using RouteHandles = HandleTable<Route, HandleTag::kQueueRoute>;
using RouteListHandles = HandleTable<RouteList, HandleTag::kQueueRouteList>;
using RouteQueryHandles = HandleTable<RouteQuery, HandleTag::kQueueRouteQuery>;

QueueAttributesHandles& queue_attributes_handles();
RouteHandles& route_handles();
RouteListHandles& route_list_handles();
RouteQueryHandles& route_query_handles();

// Reading and writing them by the number of a member, which is that of the public enumerations. `bytes` is the size of
// what `value` points to. kInvalidParam for an unknown number, a size that does not fit, and a bad value.

void set_attribute(QueueAttributes& attributes, int type, std::size_t bytes, const void* value);
/// Returns how many bytes were written.
std::size_t get_attribute(const QueueAttributes& attributes, int type, std::size_t bytes, void* value);
std::size_t get_route_parameter(const Route& route, int type, std::size_t bytes, void* value);
void set_query_parameter(RouteQuery& query, int type, std::size_t bytes, const void* value);

}  // namespace aclvk::runtime
