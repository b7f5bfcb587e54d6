#include "api/hccl/guard.hpp"

#include <exception>
#include <string>

#include "api/base/error_state.hpp"
#include "base/current_error.hpp"
#include "base/log.hpp"
#include "comm/comm_error.hpp"

namespace aclvk::api {
namespace {

struct Failure {
  HcclResult result;
  std::string sentence;
};

Failure current_failure() {
  try {
    throw;
  } catch (const comm::CommError& error) {
    return {error.result(), error.sentence()};
  } catch (const std::exception&) {
    const Error error = current_error();
    return {error.code() == Code::kMemoryAllocation ? HCCL_E_MEMORY : HCCL_E_RUNTIME, error.sentence()};
  } catch (...) {
    return {HCCL_E_INTERNAL, "An unexpected exception that is no std::exception."};
  }
}

}  // namespace

HcclResult report_comm_exception(const char* function) noexcept {
  HcclResult result = HCCL_E_MEMORY;  // the answer when memory is too short to inspect the exception
  try {
    const Failure failure = current_failure();
    result = failure.result;
    const int number = failure.result;
    log().error("{} returns {}: {}", function, number, failure.sentence);
    store_sentence(fmt::format("[{}] {}: {}", number, function, failure.sentence));
  } catch (...) {
    // Without memory for the sentence, the program gets the code alone.
  }
  return result;
}

}  // namespace aclvk::api
