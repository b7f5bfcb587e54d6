#pragma once

#include <string>
#include <vector>

namespace cli {

enum class Verdict {
  kGood,
  kNote,     ///< optional, or a hint
  kMissing,  ///< programs do not run without it
};

struct Finding {
  Verdict verdict;
  std::string sentence;
  std::string remedy;  ///< a command line or a setting; empty if there is nothing to do
};

/// Checks everything that a program needs, from the library to a computation on each device.
std::vector<Finding> examine();

}  // namespace cli
