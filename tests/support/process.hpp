#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "runtime/process/process.hpp"

namespace aclvk::test {

/// Ends a Process. A state that ends before another one that still needs it fails the running test.
inline void end(runtime::Process& process) {
  for (const char* state : process.end()) {
    ADD_FAILURE() << state
                  << " was used after its end: its row of base/process_states.def has to be nearer to the first.";
  }
}

/// A test with a Process of its own, which ends after the members of derived fixtures. For tests that link the layers.
class ProcessTest : public testing::Test {
 protected:
  ~ProcessTest() override { end(process_); }

 private:
  runtime::Process process_;
};

/// Restores the environment at its end, if it has changed: threads of a driver may be reading it.
class SavedEnvironment {
 public:
  SavedEnvironment() : saved_(now()) {}
  ~SavedEnvironment() {
    if (now() == saved_) return;
    clearenv();
    for (const std::string& variable : saved_) {
      const std::size_t end = variable.find('=');
      setenv(variable.substr(0, end).c_str(), variable.substr(end + 1).c_str(), 1);
    }
  }
  SavedEnvironment(const SavedEnvironment&) = delete;
  SavedEnvironment& operator=(const SavedEnvironment&) = delete;

 private:
  static std::vector<std::string> now() {
    std::vector<std::string> variables;
    for (char** variable = environ; variable && *variable; ++variable) variables.emplace_back(*variable);
    return variables;
  }

  const std::vector<std::string> saved_;
};

/// Gives each test of an executable a Process and an environment of its own, around fixture and SetUp(), so that they
/// share a process of the operating system (support/shared_process.cpp). The executable has to link the layers; in
/// libaclvk.so the Process has no symbol.
class ProcessOfEachTest : public testing::EmptyTestEventListener {
 private:
  void OnTestStart(const testing::TestInfo&) override {
    environment_.emplace();
    process_.emplace();
  }
  void OnTestEnd(const testing::TestInfo&) override {
    end(*process_);
    process_.reset();
    environment_.reset();
  }

  std::optional<SavedEnvironment> environment_;
  std::optional<runtime::Process> process_;
};

}  // namespace aclvk::test
