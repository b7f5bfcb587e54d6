#include "report/json.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Spread& spread) { return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}}; }

Json to_json(const Row& row) {
  Json json{{"name", row.name}, {"samples", row.samples}, {"host_us", to_json(row.host)}};
  if (row.total.median > 0) json["task_us"] = to_json(row.total);
  if (row.submissions) json["submissions"] = *row.submissions;
  if (row.ratio) {
    json["baseline"] = row.baseline;
    json["compared"] = row.compared == Compared::kTotal ? "task_us" : "host_us";
    json["ratio"] = to_json(*row.ratio);
  }
  return json;
}

Json to_json(const Group& group) {
  Json json{{"workload", group.workload},
            {"operands", group.operands},
            {"bytes", group.bytes},
            {"tasks", group.tasks},
            {"width", group.width}};
  if (group.bytes_moved > 0) json["moved"] = group.bytes_moved;
  if (group.operations > 0) json["operations"] = group.operations;
  if (!group.skip_reason.empty()) json["left_out"] = group.skip_reason;
  json["contenders"] = Json::array();
  for (const Row& row : group.rows) json["contenders"].push_back(to_json(row));
  return json;
}

Json to_json(const Environment& environment) {
  Json json{{"device", environment.device}, {"driver", environment.driver},
            {"vulkan", environment.vulkan}, {"LP_NUM_THREADS", environment.lavapipe_threads},
            {"cores", environment.cores},   {"build", environment.build},
            {"mode", environment.mode},     {"date", environment.date}};
  if (!environment.competitors.empty()) json["competitors"] = environment.competitors;
  return json;
}

Json to_json(const Target& target) {
  return {{"name", target.name},      {"value", target.value},
          {"target", target.limit},   {"bound", target.at_least ? ">=" : "<="},
          {"unit", target.unit},      {"met", target.met()},
          {"samples", target.samples}};
}

}  // namespace

nlohmann::ordered_json to_json(const Report& report) {
  Json json{{"setting", to_json(report.environment)}, {"seconds", report.seconds}};
  json["groups"] = Json::array();
  for (const Group& group : report.groups) json["groups"].push_back(to_json(group));
  json["figures"] = Json::array();
  for (const Figure& figure : report.figures) {
    json["figures"].push_back(
        {{"name", figure.name}, {"unit", figure.unit}, {"samples", figure.samples}, {"value", to_json(figure.value)}});
  }
  json["targets"] = Json::array();
  for (const Target& target : report.targets) json["targets"].push_back(to_json(target));
  return json;
}

}  // namespace bench
