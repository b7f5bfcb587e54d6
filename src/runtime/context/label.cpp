#include "runtime/context/label.hpp"

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {
namespace {

std::uint32_t next_id() { return ProcessValue<std::uint32_t, 0, StateId::kLabelIds>::next(); }

std::uint32_t model_of(const Stream& stream, const char* what, Code code) REQUIRES(scheduler_mutex) {
  const auto model = stream.sink().bound_to();
  if (!model && !stream.executes()) stream.sink().check_executes(stream, what);
  check(model.has_value(), code, "Cannot {} stream {}: it is not bound to a model (aclmdlRIBindStream).", what,
        stream.id);
  return *model;
}

void check_target(const Stream& stream, const Stream& target, const char* what) REQUIRES(scheduler_mutex) {
  const std::uint32_t model = model_of(stream, what, Code::kStreamModel);
  check(target.sink().bound_to() == model, Code::kStreamModel,
        "Stream {} leads to stream {}, which is not bound to the same model {}.", stream.id, target.id, model);
}

}  // namespace

Label::Label() : id(next_id()) {}

LabelHandles& label_handles() { return ProcessState<LabelHandles, StateId::kLabelHandles>::get(); }

LabelListHandles& label_list_handles() { return ProcessState<LabelListHandles, StateId::kLabelListHandles>::get(); }

void* create_label() {
  check_has_context();
  return label_handles().insert(std::make_shared<Label>());
}

void* create_label_list(const std::vector<std::shared_ptr<Label>>& labels) {
  check_has_context();
  return label_list_handles().insert(std::make_shared<LabelList>(LabelList{labels}));
}

// A label marks one position; a jump could not choose between two.
void set_label(const std::shared_ptr<Label>& label, Stream& stream) {
  const SchedulerLock lock;
  model_of(stream, "set a label on", Code::kParamInvalid);
  check(!label->set, Code::kParamInvalid, "Label {} is set on a stream already; it marks one position.", label->id);
  stream.sink().accept(stream, LabelTask{label});
  label->set = true;
}

void switch_label(Stream& stream, void* index, std::uint32_t count, const LabelList& list) {
  check(count > 0 && count <= list.labels.size(), Code::kParamInvalid,
        "maxValue is {}; 1..{}, the length of the list, is expected.", count, list.labels.size());
  LabelSwitchTask task{stream.resolve(index, sizeof(std::uint32_t), "The index"),
                       {list.labels.begin(), list.labels.begin() + count}};
  const SchedulerLock lock;
  model_of(stream, "switch labels on", Code::kParamInvalid);
  stream.sink().accept(stream, std::move(task));
}

void switch_stream(Stream& stream, void* left, int condition, void* right, int type, const StreamPtr& target) {
  check(condition >= 0 && condition <= static_cast<int>(Condition::kLessOrEqual), Code::kParamInvalid,
        "cond is {}; one of EQUAL 0 to LESS_OR_EQUAL 5 is expected.", condition);
  check(type == 0 || type == 1, Code::kParamInvalid, "dataType is {}; INT32 0 or INT64 1 is expected.", type);
  const std::uint64_t bytes = type == 0 ? 4 : 8;
  const vk::BufferRange left_word = stream.resolve(left, bytes, "The left value");
  const vk::BufferRange right_word = stream.resolve(right, bytes, "The right value");
  const SchedulerLock lock;
  check_target(stream, *target, "switch streams on");
  stream.sink().accept(stream, StreamSwitchTask{left_word, right_word, static_cast<Condition>(condition), target->id});
}

void activate_stream(Stream& stream, const StreamPtr& target) {
  const SchedulerLock lock;
  check_target(stream, *target, "activate another stream from");
  stream.sink().accept(stream, StreamActiveTask{target->id});
}

}  // namespace aclvk::runtime
