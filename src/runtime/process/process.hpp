#pragma once

#include <sys/types.h>

#include <vector>

namespace aclvk::runtime {

/// All state of the library that is not of the operating system's process: settings, devices, contexts, streams,
/// handles, models, registered callbacks (base/process_states.def). A program has one Process, which begins with the
/// first use of each state and never ends. Tests make a Process each, so that many share a process of the operating
/// system (docs/adr/0028). There is one at a time.
///
/// No other thread may use the library while a Process begins or ends, and no handle or pointer of a Process may be
/// used after it. Ends the process of the operating system if a task or a host function does not end.
class Process {
 public:
  /// Ends what the library holds already.
  Process();
  /// Calls end().
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Drops pending tasks, waits for submitted ones, and destroys all state. Returns what end_process_states() returns:
  /// names of states in the wrong order. Does nothing in a forked child, and after the exit handlers have run.
  std::vector<const char*> end();

 private:
  const pid_t process_;
};

}  // namespace aclvk::runtime
