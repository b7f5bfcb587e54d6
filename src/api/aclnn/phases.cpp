#include "api/aclnn/phases.hpp"

#include "api/base/handles.hpp"
#include "ops/dump/dump_call.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::api {
namespace {

bool is_operator_code(Code code) {
  return code == Code::kNnNullptr || code == Code::kNnInvalid || code >= Code::kNnInner || code == Code::kNnRuntime;
}

}  // namespace

void throw_for_operator(std::string_view name, const Error& error) {
  if (is_operator_code(error.code())) throw Error(error);
  throw Error(Code::kNnRuntime, fmt::format("{} cannot run: {}", name, error.sentence()));
}

void check_has_device(const char* function) {
  with_operator_codes(function, [] { runtime::check_has_context(); });
}

aclnnStatus launch(const char* function, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                   aclrtStream stream) noexcept {
  return guard(function, [&] {
    const std::shared_ptr<ops::Executor> object = ops::executor_to_run(executor);
    runtime::StreamPtr target;
    with_operator_codes(object->name(), [&] { target = own_stream_of(stream); });
    object->check_stream(*target);  // answers as a call that waits for the stream does
    with_operator_codes(object->name(), [&] { ops::run_executor(*object, workspace, workspace_size, *target); });
  });
}

}  // namespace aclvk::api
