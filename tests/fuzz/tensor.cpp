// Operators on tensors with any shapes, strides, offsets, dtypes and addresses. The first phase answers with a
// documented code. What it takes and what is small is run, and changes no byte outside the tensors that it writes.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "acl/acl.h"
#include "bytes.hpp"
#include "finding.hpp"
#include "tensor/operators.hpp"

namespace aclvk::fuzz {
namespace {

constexpr int kPatienceMs = 30000;

std::string last_message() {
  const char* message = aclGetRecentErrMsg();
  return message ? message : "";
}

/// Device 0, and what all cases share.
class Bench {
 public:
  Bench() {
    expect(aclrtSetDevice(0) == 0, "aclrtSetDevice(0) fails: {}", last_message());
    expect(aclrtCreateStream(&stream) == 0, "aclrtCreateStream fails: {}", last_message());
    arena = new Arena;
  }
  Arena* arena = nullptr;
  aclrtStream stream = nullptr;
};

// Leaked: the process may end in the middle of a case.
Bench& bench() {
  static auto* const bench = new Bench;
  return *bench;
}

bool is_documented(aclnnStatus code) {
  return code == 0 || code == 161001 || code == 161002 || code == 361001 || (code >= 561000 && code <= 561119) ||
         code == 207000;
}

void check_code(const Operator& called, const char* phase, aclnnStatus code) {
  const std::string message = code == 0 ? "" : last_message();
  expect(is_documented(code), "The {} phase of {} returns {}: {}", phase, called.name, code, message);
  expect(message.find("unexpected exception") == std::string::npos, "The {} phase of {} fails in an unforeseen way: {}",
         phase, called.name, message);
}

/// What the operator writes may change; true when it all lies in the arena.
bool allow_outputs(const Arguments& arguments) {
  bool inside = true;
  for (const View& view : arguments.outputs()) inside &= bench().arena->allow(view);
  return inside;
}

void launch(const Operator& called, const Planned& planned) {
  void* const workspace = planned.workspace_bytes > 0 ? bench().arena->workspace() : nullptr;
  const aclnnStatus code = called.launch(workspace, planned.workspace_bytes, planned.executor, bench().stream);
  check_code(called, "second", code);
  const aclError done = aclrtSynchronizeStreamWithTimeout(bench().stream, kPatienceMs);
  expect(done == 0, "{} does not end well: {}: {}", called.name, done, last_message());
}

void run(const Operator& called, const Planned& planned, const Arguments& arguments, std::size_t fill) {
  bench().arena->fill(fill);
  allow_outputs(arguments);
  bench().arena->allow_workspace(planned.workspace_bytes);
  launch(called, planned);
  std::size_t place = 0;
  const char* const damage = bench().arena->find_damage(&place);
  expect(damage == nullptr, "{} changes byte {}, which lies {}.", called.name, place, damage ? damage : "");
}

bool can_run(const Planned& planned, const Arguments& arguments) {
  bench().arena->fill(0);
  if (planned.workspace_bytes > Arena::kWorkspaceBytes) return false;
  const auto& outputs = arguments.outputs();
  if (arguments.modest()) return std::all_of(outputs.begin(), outputs.end(), Arena::can_watch);
  return !allow_outputs(arguments);  // an output that is not in memory is refused in the second phase
}

void test(Bytes bytes) {
  const Operator& called = operator_at(bytes.number<std::uint16_t>());
  const std::uint8_t switches = bytes.byte();
  Arguments arguments(bytes, *bench().arena, called.written);
  if (std::getenv("ACLVK_FUZZ_TRACE")) fmt::print(stderr, "{}\n", called.name);
  const Planned planned = called.call(called.plan, arguments);
  check_code(called, "first", planned.code);
  if (planned.code != 0) return;
  expect(planned.executor != nullptr, "{} has no executor.", called.name);
  if (switches % 2 == 0 && can_run(planned, arguments)) return run(called, planned, arguments, switches / 2 % 8);
  expect(aclDestroyAclOpExecutor(planned.executor) == 0, "An executor of {} cannot be destroyed.", called.name);
}

}  // namespace
}  // namespace aclvk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  aclvk::fuzz::test(aclvk::fuzz::Bytes(data, size));
  return 0;
}
