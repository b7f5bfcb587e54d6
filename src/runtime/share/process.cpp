#include "runtime/share/process.hpp"

#include <unistd.h>

#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

namespace aclvk::runtime {

std::int32_t bare_process_id() {
  std::ifstream file("/proc/self/status");
  const std::string status{std::istreambuf_iterator<char>(file), {}};
  const std::int32_t outermost = outermost_process_id(status);
  return outermost > 0 ? outermost : getpid();
}

// One number for each namespace that the mounted /proc can see, the outermost first.
std::int32_t outermost_process_id(std::string_view status) {
  constexpr std::string_view kField = "NSpid:";
  const std::size_t field = status.find(kField);
  if (field == std::string_view::npos) return -1;
  const char* first = status.data() + field + kField.size();
  const char* end = status.data() + status.size();
  while (first != end && std::isblank(static_cast<unsigned char>(*first)) != 0) ++first;
  std::int32_t number = -1;
  const auto [last, error] = std::from_chars(first, end, number);
  return error == std::errc() && last != first ? number : -1;
}

}  // namespace aclvk::runtime
