#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cli {

/// Each adds a command. A command throws std::runtime_error with a sentence, or CLI::RuntimeError with the exit code.
void add_info(CLI::App& app);
void add_doctor(CLI::App& app);
void add_graph(CLI::App& app);
void add_trace(CLI::App& app);
void add_support(CLI::App& app);
/// `program`: what stands behind "--".
void add_run(CLI::App& app, const std::vector<std::string>& program);

/// The stand-in for npu-smi; returns the exit code.
int npu_smi(int count, char** arguments);

}  // namespace cli
