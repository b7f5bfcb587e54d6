#pragma once

#include <string>
#include <vector>

namespace cli {

enum class Verdict {
  kGood,
  kNote,     ///< it works without, or it is worth to know
  kMissing,  ///< programs do not run
};

struct Finding {
  Verdict verdict;
  std::string sentence;
  std::string remedy;  ///< a command line or a setting; empty when nothing is to be done
};

/// Looks at what a program needs to run, from the library to a sum on each device.
std::vector<Finding> examine();

}  // namespace cli
