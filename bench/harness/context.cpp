#include "harness/context.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace bench {

bool Context::wants(const std::string& workload) const {
  return options.only.empty() || std::find(options.only.begin(), options.only.end(), workload) != options.only.end();
}

void Context::announce(const std::string& what) const {
  if (options.quiet) return;
  // On a terminal each line replaces the previous one: \r goes to its start, ESC[K clears it.
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::fprintf(stderr, terminal ? "\r\033[K%s ..." : "%s ...\n", what.c_str());
  std::fflush(stderr);
}

std::function<std::uint64_t()> Context::acl_submissions() const {
  return [&session = session] { return session.submissions(); };
}

std::function<std::uint64_t()> Context::raw_submissions() const {
  return [&device = device] { return device.submissions(); };
}

}  // namespace bench
