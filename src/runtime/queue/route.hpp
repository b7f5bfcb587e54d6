#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

// Descriptions of queues and routes that programs fill in. Plain data, not thread safe.

/// acltdtQueueAttr.
struct QueueAttributes {
  std::string name;
  std::uint32_t depth = 8;
};

/// The status of a route at the time when its list was bound, unbound or filled. The values are those of
/// ACL_TDT_QUEUE_ROUTE_*.
enum class RouteStatus : std::int32_t { kUnbound = 0, kBound = 1 };

/// acltdtQueueRoute: forwards messages of queue `source` to queue `target`.
struct Route {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  RouteStatus status = RouteStatus::kUnbound;
};

/// acltdtQueueRouteList.
struct RouteList {
  std::vector<Route> routes;
};

/// acltdtQueueRouteQueryInfo: a filter of bound routes.
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

// Access by the number of a member in the public enumerations. `bytes` is the size of the memory at `value`. Functions
// throw kInvalidParam for an unknown number, a wrong size, and a bad value.

void set_attribute(QueueAttributes& attributes, int type, std::size_t bytes, const void* value);
/// Returns the number of bytes written.
std::size_t get_attribute(const QueueAttributes& attributes, int type, std::size_t bytes, void* value);
std::size_t get_route_parameter(const Route& route, int type, std::size_t bytes, void* value);
void set_query_parameter(RouteQuery& query, int type, std::size_t bytes, const void* value);

}  // namespace aclvk::runtime
