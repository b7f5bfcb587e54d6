#include "capture/inspect/dot_node.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/event/event.hpp"
#include "runtime/task/overloaded.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs, all of them

struct NodeStyle {
  const char* shape;
  const char* color;
};
constexpr NodeStyle kKernel{"box", "#cfe2f3"};
constexpr NodeStyle kCopy{"cylinder", "#d9ead3"};
constexpr NodeStyle kSignal{"ellipse", "#fff2cc"};
constexpr NodeStyle kWait{"hexagon", "#f9cb9c"};
constexpr NodeStyle kHost{"component", "#d9d2e9"};
constexpr NodeStyle kDecision{"diamond", "#f4cccc"};
constexpr NodeStyle kOther{"box3d", "#eeeeee"};

NodeStyle style_of(TaskRole role) {
  switch (role) {
    case TaskRole::kKernel: return kKernel;
    case TaskRole::kCopy: return kCopy;
    case TaskRole::kSignal: return kSignal;
    case TaskRole::kWait: return kWait;
    case TaskRole::kHost: return kHost;
    case TaskRole::kDecision: return kDecision;
    case TaskRole::kOther: break;
  }
  return kOther;
}

std::string count_of(std::uint64_t count, const char* unit) {
  return fmt::format("\n{} {}{}", count, unit, count == 1 ? "" : "s");
}

std::string event_detail(const EventPtr& event) { return event && event->external() ? "\nEXTERNAL" : ""; }

// Returns the second line of a node's label.
std::string detail_of(const Task& task) {
  return std::visit(
      Overloaded{
          [](const KernelTask& kernel) {
            const auto& groups = kernel.dispatch.groups;
            return count_of(std::uint64_t{groups[0]} * groups[1] * groups[2], "block");
          },
          [](const CopyTask& copy) { return count_of(copy.dst.size, "byte"); },
          [](const Copy2dTask& rows) { return count_of(rows.copy.width * rows.copy.height, "byte"); },
          [](const FillTask& fill) { return count_of(fill.dst.size, "byte"); },
          [](const FillWordsTask& fill) { return count_of(fill.dst.size, "byte"); },
          alike<EventRecordTask, EventWaitTask, EventResetTask>(
              [](const auto& signal) { return event_detail(signal.event); }),
          alike<MarkTask, NotifyRecordTask, NotifyWaitTask, CountRecordTask, CountWaitTask, ValueWriteTask,
                ValueWaitTask, HostTask, ProcedureTask, LabelTask, LabelSwitchTask, StreamSwitchTask, StreamActiveTask,
                ModelEndTask>([](const auto&) { return std::string(); }),
      },
      task);
}

// nlohmann::json replaces invalid UTF-8 when it serializes a string.
std::string valid_utf8(const std::string& text) {
  using Json = nlohmann::json;
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

}  // namespace

std::string dot_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"': result += "\\\""; break;
      case '\\': result += "\\\\"; break;
      case '\n': result += "\\n"; break;
      case '&': result += "&amp;"; break;
      default: result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result + '"';
}

std::string dot_attributes(const Node& node) {
  const NodeStyle style = style_of(row_of(node.task).role);
  return fmt::format("[label={}, shape={}, fillcolor=\"{}\"]", dot_quoted(display_name(node) + detail_of(node.task)),
                     style.shape, style.color);
}

}  // namespace aclvk::capture
