// aclvk trace: merges several traces into one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "commands.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

struct TraceOptions {
  std::vector<std::string> inputs;
  std::string output = "trace.json";
  bool align = false;
};

/// Repairs the trace of a killed process, which lacks the closing bracket and may end in the middle of a line. Keeps
/// complete lines.
std::string repaired(std::string text) {
  const std::size_t line = text.find_last_of('\n');
  if (line != std::string::npos) text.erase(line);
  while (!text.empty() && (text.back() == ',' || std::isspace(static_cast<unsigned char>(text.back()))))
    text.pop_back();
  return text + (text.front() == '[' ? "]" : "]}");
}

Json read_events(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + " cannot be read.");
  Json trace = Json::parse(text.str(), nullptr, false);
  if (trace.is_discarded() && !text.str().empty()) trace = Json::parse(repaired(text.str()), nullptr, false);
  if (trace.is_object()) trace = trace.value("traceEvents", Json());
  if (!trace.is_array()) throw std::runtime_error(path.string() + " is no trace: it has no list of events.");
  return trace;
}

std::vector<std::filesystem::path> files_of(const std::vector<std::string>& inputs) {
  std::vector<std::filesystem::path> files;
  for (const std::string& input : inputs) {
    if (!std::filesystem::is_directory(input)) {
      files.emplace_back(input);
      continue;
    }
    std::set<std::filesystem::path> sorted;
    for (const auto& entry : std::filesystem::directory_iterator(input)) {
      if (entry.path().extension() == ".json") sorted.insert(entry.path());
    }
    files.insert(files.end(), sorted.begin(), sorted.end());
  }
  return files;
}

/// Gives processes and flow arrows of different files distinct ids. Times of one machine share an axis and are kept,
/// unless the traces are aligned at their first events.
class Merger {
 public:
  void add(const std::filesystem::path& file, Json events, bool align) {
    const double start = align ? first_time(events) : 0;
    std::map<std::string, std::int64_t> processes;
    for (Json& event : events) {
      if (!event.is_object()) throw std::runtime_error(file.string() + " is no trace: an event is no object.");
      if (event.contains("pid")) event["pid"] = process(processes, event["pid"]);
      // Flow arrows join events of one id, so ids of different files must differ.
      if (event.contains("id")) event["id"] = fmt::format("{}.{}", files_, event["id"].dump());
      if (event.contains("ts") && align) event["ts"] = event["ts"].get<double>() - start;
      events_.push_back(std::move(event));
    }
    ++files_;
  }

  Json result() { return {{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events_)}}; }
  std::size_t count() const { return events_.size(); }

 private:
  static double first_time(const Json& events) {
    double first = std::numeric_limits<double>::infinity();
    for (const Json& event : events) {
      if (event.is_object() && event.contains("ts")) first = std::min(first, event["ts"].get<double>());
    }
    return first;
  }

  // Returns the id of a process if no other file uses it, else a new one. Names such as "12 aclGraph" get a number,
  // too.
  std::int64_t process(std::map<std::string, std::int64_t>& known, const Json& pid) {
    const auto found = known.find(pid.dump());
    if (found != known.end()) return found->second;
    std::int64_t number = pid.is_number_integer() ? pid.get<std::int64_t>() : kFirstNew;
    while (!used_.insert(number).second) number = std::max(number + 1, kFirstNew);
    known[pid.dump()] = number;
    if (!pid.is_number_integer()) {
      events_.push_back({{"name", "process_name"}, {"ph", "M"}, {"pid", number}, {"args", {{"name", pid}}}});
    }
    return number;
  }

  static constexpr std::int64_t kFirstNew = 100'000'000;  // above process ids and device numbers

  Json events_ = Json::array();
  std::set<std::int64_t> used_;
  std::size_t files_ = 0;
};

void merge(const TraceOptions& options) {
  const auto files = files_of(options.inputs);
  if (files.empty()) throw std::runtime_error("There is no trace in the folder: no file ends with .json.");
  Merger merger;
  for (const auto& file : files) merger.add(file, read_events(file), options.align);
  const std::size_t count = merger.count();
  std::ofstream file(options.output);
  file << merger.result().dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  if (!file.flush()) throw std::runtime_error(options.output + " cannot be written.");
  fmt::print("{}: {} events of {} files\n", options.output, count, files.size());
}

}  // namespace

void add_trace(CLI::App& app) {
  auto* command = app.add_subcommand("trace", "Makes one trace of several, of ACLVK_TRACE, profiles and dumped models");
  auto options = std::make_shared<TraceOptions>();
  command->add_option("TRACE", options->inputs, "Files, or folders of .json files")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("-o,--output", options->output, "The file to write")->capture_default_str();
  command->add_flag("--align", options->align, "All begin at 0, for traces of different machines");
  command->callback([options] { merge(*options); });
}

}  // namespace cli
