#include "runtime/host/process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "base/file.hpp"

namespace aclvk::runtime {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The check without pidfd_open(), which kernels before Linux 5.3 lack and seccomp filters of some containers forbid.
bool has_ended_by_number(pid_t process) {
  if (kill(process, 0) != 0 && errno == ESRCH) return true;
  return stat_shows_exit(text_of(fmt::format("/proc/{}/stat", process)));
}

}  // namespace

std::int32_t host_process_id() {
  const std::string status = text_of("/proc/self/status");
  const std::int32_t outermost = outermost_process_id(status);
  return outermost > 0 ? outermost : getpid();
}

// NSpid lists the pid in each nested namespace that the mounted /proc can see, the outermost first.
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

// Polls a pidfd, which becomes readable when the process ends. kill() still succeeds for a zombie.
bool has_ended(pid_t process) {
  const File ended(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  if (!ended.open()) return errno == ESRCH || has_ended_by_number(process);
  pollfd state{ended.fd(), POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&state, 1, 0);
  } while (ready < 0 && errno == EINTR);
  return ready == 1;
}

// Searches the last ')', because the name of the program may contain any character. The state is also Z while only the
// first thread has ended: then the number of threads is larger than 1.
bool stat_shows_exit(std::string_view stat) {
  constexpr int kBetweenStateAndThreads = 16;
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return false;
  std::istringstream fields{std::string(stat.substr(name_end + 1))};
  char state = 0;
  fields >> state;
  long long threads = 0;
  for (int i = 0; i <= kBetweenStateAndThreads; ++i) fields >> threads;
  return fields && (state == 'Z' || state == 'X') && threads <= 1;
}

}  // namespace aclvk::runtime
