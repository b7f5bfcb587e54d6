// Functions on the host in stream order, and kernels.
#include <pthread.h>

#include <atomic>

#include "aclnnop/aclnn_add.h"
#include "api_sequence/sequence.hpp"

namespace aclvk::fuzz {
namespace {

using Work = Sequence::Work;

void count(void* calls) { ++*static_cast<std::atomic<int>*>(calls); }

// Leaked: a function may run later than the sequence that launched it.
std::atomic<int>* calls() {
  static auto* const calls = new std::atomic<int>;
  return calls;
}

void launch_function(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool none = s.bytes.once_in(8);
  Prediction expected;
  StreamState* const to = s.predict_stream(expected, stream);
  expected.refused(none, ACL_ERROR_RT_PARAM_INVALID);
  expected.refused(to && to->subscribed, ACL_ERROR_RT_STREAM_SUBSCRIBE);
  s.predict_task(expected, to, stream, Work::kOther);
  const int code = s.call(fmt::format("aclrtLaunchHostFunc({})", stream), expected,
                          [&] { return aclrtLaunchHostFunc(stream, none ? nullptr : count, calls()); });
  s.note_task(to, stream, Work::kOther, code);
}

void launch_callback(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool none = s.bytes.once_in(8);
  const std::int32_t block = s.bytes.any_of<std::int32_t>({0, 1, 0, 2, -1});
  Prediction expected;
  expected.first(block < 0 || block > 1, ACL_ERROR_INVALID_PARAM);
  StreamState* const to = s.predict_stream(expected, stream);
  expected.refused(none, ACL_ERROR_RT_PARAM_INVALID);
  expected.refused(to && !to->subscribed, ACL_ERROR_RT_STREAM_NO_CB_REG);
  s.predict_task(expected, to, stream, Work::kOther);
  const int code = s.call(fmt::format("aclrtLaunchCallback({}, {})", stream, block), expected, [&] {
    return aclrtLaunchCallback(none ? nullptr : count, calls(), static_cast<aclrtCallbackBlockType>(block), stream);
  });
  s.note_task(to, stream, Work::kOther, code);
  if (code != 0 || block == 0) return;  // it may never be processed
  if (to->capture) to->capture->waits = true;
  if (to->bound) to->bound->waits = true;
  if (to->executes()) to->may_block = true;
}

void subscribe(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool ends = s.bytes.byte() % 3 == 0;
  const auto reader = s.bytes.any_of<std::uint64_t>({1, 1, 2});
  Prediction expected;
  StreamState* const state = s.predict_stream(expected, stream, false);
  expected.refused(state && state->subscribed != ends, ACL_ERROR_RT_STREAM_SUBSCRIBE);
  expected.may_if(ends && state && state->subscribed, {ACL_ERROR_RT_THREAD_SUBSCRIBE});
  const int code =
      s.call(fmt::format("aclrt{}SubscribeReport({}, {})", ends ? "Un" : "", reader, stream), expected, [&] {
        const std::uint64_t id = reader == 1 ? static_cast<std::uint64_t>(pthread_self()) : reader;
        return ends ? aclrtUnSubscribeReport(id, stream) : aclrtSubscribeReport(id, stream);
      });
  if (code == 0) state->subscribed = !ends;
}

void process(Sequence& s) {
  const std::int32_t timeout = s.bytes.any_of<std::int32_t>({1, 1, 0, -2});
  Prediction expected;
  expected.refused(timeout <= 0, ACL_ERROR_INVALID_PARAM);
  expected.may_if(timeout > 0, {ACL_ERROR_RT_THREAD_SUBSCRIBE, ACL_ERROR_RT_REPORT_TIMEOUT});
  s.call(fmt::format("aclrtProcessReport({})", timeout), expected, [&] { return aclrtProcessReport(timeout); });
}

}  // namespace

void call_host(Sequence& s) {
  switch (s.bytes.pick(8)) {
    case 0:
    case 1:
    case 2: return launch_function(s);
    case 3:
    case 4: return launch_callback(s);
    case 5:
    case 6: return subscribe(s);
    default: return process(s);
  }
}

// One kernel: eight floats and one.
void call_kernel(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool repeated = s.bytes.once_in(16);
  void* const cell = s.cell(s.bytes.pick(3));
  Prediction planned;
  planned.refused(!s.context(), 361001);
  const std::int64_t size = 8;
  const std::int64_t step = 1;
  const float one = 1;
  aclTensor* const tensor = aclCreateTensor(&size, 1, ACL_FLOAT, &step, 0, ACL_FORMAT_ND, &size, 1, cell);
  aclScalar* const scalar = aclCreateScalar(const_cast<float*>(&one), ACL_FLOAT);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  const int plan = s.call("aclnnInplaceAddsGetWorkspaceSize()", planned,
                          [&] { return aclnnInplaceAddsGetWorkspaceSize(tensor, scalar, scalar, &bytes, &executor); });
  aclDestroyTensor(tensor);
  aclDestroyScalar(scalar);
  if (plan != 0) return;
  Prediction expected;
  StreamState* const to = s.predict_stream(expected, stream);
  s.predict_task(expected, to, stream, Work::kKernel);
  const bool own = to && to->context == s.context();
  const bool joins = own && to->capture && to->capture->group_stream && to->capture->group_stream != s.meant(stream);
  expected.as_operator(361001);
  const int code = s.call(fmt::format("aclnnInplaceAdds({})", stream), expected,
                          [&] { return aclnnInplaceAdds(nullptr, 0, executor, stream); });
  s.note_task(to, stream, Work::kKernel, code == 361001 && joins ? ACL_ERROR_STREAM_TASK_GROUP_INTR : code);
  if (!repeated) return;
  Prediction used_up;
  used_up.refused(true, 161001);
  s.call("aclnnInplaceAdds() once more", used_up, [&] { return aclnnInplaceAdds(nullptr, 0, executor, stream); });
}

}  // namespace aclvk::fuzz
