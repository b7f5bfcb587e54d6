#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cli {

/// Each adds one command to the parser. Commands throw std::runtime_error with a message, or CLI::RuntimeError with the
/// exit code.
void add_info(CLI::App& app);
void add_doctor(CLI::App& app);
void add_graph(CLI::App& app);
void add_trace(CLI::App& app);
void add_support(CLI::App& app);
/// `program` is the command line after "--".
void add_run(CLI::App& app, const std::vector<std::string>& program);

/// Runs as a replacement of npu-smi; returns the exit code.
int npu_smi(int count, char** arguments);

}  // namespace cli
