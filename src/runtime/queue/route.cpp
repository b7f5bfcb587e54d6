#include "runtime/queue/route.hpp"

#include <cstring>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/queue/queue.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::size_t kLongestName = 127;

template <typename Value>
Value read(const char* name, std::size_t bytes, const void* from) {
  check(bytes == sizeof(Value), Code::kInvalidParam, "{} has {} bytes; len is {}.", name, sizeof(Value), bytes);
  Value value;
  std::memcpy(&value, from, sizeof(Value));
  return value;
}

template <typename Value>
std::size_t write(const char* name, std::size_t bytes, void* to, Value value) {
  check(bytes >= sizeof(Value), Code::kInvalidParam, "{} needs {} bytes; len is {}.", name, sizeof(Value), bytes);
  std::memcpy(to, &value, sizeof(Value));
  return sizeof(Value);
}

[[noreturn]] void refuse_type(int type, const char* of, const char* expected) {
  fail(Code::kInvalidParam, "{} is no parameter of {}; {} is expected.", type, of, expected);
}

std::string checked_name(const char* name) {
  check(name != nullptr, Code::kInvalidParam, "The name of a queue is NULL.");
  const std::size_t length = strnlen(name, kLongestName + 1);
  check(length <= kLongestName, Code::kInvalidParam, "The name of a queue has more than {} characters.", kLongestName);
  return {name, length};
}

}  // namespace

QueueAttributesHandles& queue_attributes_handles() {
  return ProcessState<QueueAttributesHandles, StateId::kQueueAttributesHandles>::get();
}
RouteHandles& route_handles() { return ProcessState<RouteHandles, StateId::kRouteHandles>::get(); }
RouteListHandles& route_list_handles() { return ProcessState<RouteListHandles, StateId::kRouteListHandles>::get(); }
RouteQueryHandles& route_query_handles() { return ProcessState<RouteQueryHandles, StateId::kRouteQueryHandles>::get(); }

// The value of NAME_PTR is a pointer to the text.
void set_attribute(QueueAttributes& attributes, int type, std::size_t bytes, const void* value) {
  switch (type) {
    case 0: attributes.name = checked_name(read<const char*>("NAME_PTR", bytes, value)); return;
    case 1: {
      const auto depth = read<std::uint32_t>("DEPTH_UINT32", bytes, value);
      check(depth > 0, Code::kInvalidParam, "The depth of a queue is 0; it holds at least one message.");
      attributes.depth = depth;
      return;
    }
    default: refuse_type(type, "a queue", "NAME_PTR (0) or DEPTH_UINT32 (1)");
  }
}

// The pointer to a name is valid until the name is set again or the attributes are destroyed.
std::size_t get_attribute(const QueueAttributes& attributes, int type, std::size_t bytes, void* value) {
  switch (type) {
    case 0: return write("NAME_PTR", bytes, value, attributes.name.c_str());
    case 1: return write("DEPTH_UINT32", bytes, value, attributes.depth);
    default: refuse_type(type, "a queue", "NAME_PTR (0) or DEPTH_UINT32 (1)");
  }
}

std::size_t get_route_parameter(const Route& route, int type, std::size_t bytes, void* value) {
  switch (type) {
    case 0: return write("SRC_UINT32", bytes, value, route.source);
    case 1: return write("DST_UINT32", bytes, value, route.target);
    case 2: return write("STATUS_INT32", bytes, value, static_cast<std::int32_t>(route.status));
    default: refuse_type(type, "a route", "SRC (0), DST (1) or STATUS (2)");
  }
}

void set_query_parameter(RouteQuery& query, int type, std::size_t bytes, const void* value) {
  switch (type) {
    case 0: {
      const int mode = read<int>("MODE_ENUM", bytes, value);
      check_query_mode(mode);
      query.mode = mode;
      return;
    }
    case 1:
      query.source = read<std::uint32_t>("SRC_ID_UINT32", bytes, value);
      query.has_source = true;
      return;
    case 2:
      query.target = read<std::uint32_t>("DST_ID_UINT32", bytes, value);
      query.has_target = true;
      return;
    default: refuse_type(type, "a query", "MODE (0), SRC_ID (1) or DST_ID (2)");
  }
}

}  // namespace aclvk::runtime
