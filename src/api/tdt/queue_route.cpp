// acl/acl_tdt_queue.h: routes between queues, which pass messages on.
#include <memory>

#include "acl/acl_tdt_queue.h"
#include "api/base/created.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/queue/route.hpp"

using namespace aclvk;
using api::created;
using api::guard_host;
using api::require;
using runtime::route_handles;
using runtime::route_list_handles;
using runtime::route_query_handles;

namespace {

/// Returns the live object. Throws kInvalidParam for NULL and for anything else.
template <typename Handles>
auto live(Handles& handles, const void* handle, const char* name) {
  require(handle, name);
  auto object = handles.find(handle);
  check(object != nullptr, Code::kInvalidParam, "{} {} is not a live object.", name, handle);
  return object;
}

template <typename Handles>
int destroy(const char* function, Handles& handles, const void* handle, const char* name) {
  return guard_host(function, [&] {
    live(handles, handle, name);
    handles.remove(handle);
  });
}

auto list_of(const acltdtQueueRouteList* handle) { return live(route_list_handles(), handle, "routeList"); }

}  // namespace

acltdtQueueRoute* acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId) {
  return created<acltdtQueueRoute>(__func__, [&] {
    return route_handles().insert(
        std::make_shared<runtime::Route>(runtime::Route{srcId, dstId, runtime::RouteStatus::kUnbound}));
  });
}

aclError acltdtDestroyQueueRoute(const acltdtQueueRoute* route) {
  return destroy(__func__, route_handles(), route, "route");
}

aclError acltdtGetQueueRouteParam(const acltdtQueueRoute* route, acltdtQueueRouteParamType type, size_t len,
                                  size_t* paramRetSize, void* param) {
  return guard_host(__func__, [&] {
    const auto found = live(route_handles(), route, "route");
    require(paramRetSize, "paramRetSize");
    require(param, "param");
    *paramRetSize = runtime::get_route_parameter(*found, type, len, param);
  });
}

acltdtQueueRouteList* acltdtCreateQueueRouteList() {
  return created<acltdtQueueRouteList>(
      __func__, [] { return route_list_handles().insert(std::make_shared<runtime::RouteList>()); });
}

aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList* routeList) {
  return destroy(__func__, route_list_handles(), routeList, "routeList");
}

aclError acltdtAddQueueRoute(acltdtQueueRouteList* routeList, const acltdtQueueRoute* route) {
  return guard_host(__func__, [&] {
    const auto list = list_of(routeList);
    list->routes.push_back(*live(route_handles(), route, "route"));  // a copy: the program may destroy the route
  });
}

aclError acltdtGetQueueRoute(const acltdtQueueRouteList* routeList, size_t index, acltdtQueueRoute* route) {
  return guard_host(__func__, [&] {
    const auto list = list_of(routeList);
    const auto to = live(route_handles(), route, "route");
    check(index < list->routes.size(), Code::kInvalidParam, "index is {}; the list has {} routes.", index,
          list->routes.size());
    *to = list->routes[index];
  });
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList* routeList) {
  const auto list = route_list_handles().find(routeList);
  return list ? list->routes.size() : 0;
}

acltdtQueueRouteQueryInfo* acltdtCreateQueueRouteQueryInfo() {
  return created<acltdtQueueRouteQueryInfo>(
      __func__, [] { return route_query_handles().insert(std::make_shared<runtime::RouteQuery>()); });
}

aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo* info) {
  return destroy(__func__, route_query_handles(), info, "info");
}

aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo* param, acltdtQueueRouteQueryInfoParamType type,
                                      size_t len, const void* value) {
  return guard_host(__func__, [&] {
    const auto query = live(route_query_handles(), param, "param");
    require(value, "value");
    runtime::set_query_parameter(*query, type, len, value);
  });
}

aclError acltdtBindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return guard_host(__func__, [&] { runtime::bind_routes(*list_of(qRouteList)); });
}

aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return guard_host(__func__, [&] { runtime::unbind_routes(*list_of(qRouteList)); });
}

aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo* queryInfo, acltdtQueueRouteList* qRouteList) {
  return guard_host(__func__, [&] {
    const auto query = live(route_query_handles(), queryInfo, "queryInfo");
    runtime::query_routes(*query, *list_of(qRouteList));
  });
}
