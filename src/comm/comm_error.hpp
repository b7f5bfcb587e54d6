#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "hccl/hccl_types.h"

namespace aclvk::comm {

/// The exception of refused HCCL calls; carries an HcclResult. Failures of the runtime remain aclvk::Error.
class CommError : public std::exception {
 public:
  CommError(HcclResult result, std::string sentence) : result_(result), sentence_(std::move(sentence)) {}

  HcclResult result() const noexcept { return result_; }
  const std::string& sentence() const noexcept { return sentence_; }
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  HcclResult result_;
  std::string sentence_;
};

/// Throws CommError(result, fmt::format(format, args...)) unless the condition holds.
template <typename... Args>
void check(bool holds, HcclResult result, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) throw CommError(result, fmt::format(format, std::forward<Args>(args)...));
}

/// Throws HCCL_E_PTR "<name> is NULL." for a null pointer.
inline void require(const void* pointer, const char* name) {
  check(pointer != nullptr, HCCL_E_PTR, "{} is NULL.", name);
}

}  // namespace aclvk::comm
