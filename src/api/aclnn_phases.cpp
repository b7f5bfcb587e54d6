#include "api/aclnn_phases.hpp"

#include "api/handles.hpp"
#include "runtime/stream.hpp"

namespace aclvk::api {
namespace {

/// Callers of operators look for operator codes: what the runtime refuses arrives as 361001 with the runtime's
/// sentence.
bool is_operator_code(Code code) {
  return code == Code::kNnNullptr || code == Code::kNnInvalid || code >= Code::kNnInner || code == Code::kNnRuntime;
}

void run(const std::shared_ptr<ops::Executor>& executor, void* workspace, std::uint64_t size, aclrtStream stream) {
  try {
    executor->run(workspace, size, *stream_of(stream));
  } catch (const Error& error) {
    if (is_operator_code(error.code())) throw;
    throw Error(Code::kNnRuntime, fmt::format("{} cannot be launched: {}", executor->name(), error.sentence()));
  }
}

}  // namespace

aclnnStatus launch(const char* function, void* workspace, std::uint64_t workspace_size, aclOpExecutor* executor,
                   aclrtStream stream) noexcept {
  return guard(function, [&] {
    auto object = ops::required(ops::executor_handles(), executor, "executor");
    // Whoever takes it out of the table runs it: a second call, also from another thread, finds it gone.
    if (!object->repeatable()) object = ops::executor_handles().remove(executor);
    check(object != nullptr, Code::kNnNullptr, "executor ({}) is already used up.", static_cast<void*>(executor));
    run(object, workspace, workspace_size, stream);
  });
}

}  // namespace aclvk::api
