// aclvk doctor: finds what is missing on this machine, or what a program lacks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "doctor/checks.hpp"
#include "unmet_dependencies.hpp"

namespace cli {
namespace {

const char* verdict_text(Verdict verdict) {
  return verdict == Verdict::kGood ? "ok" : verdict == Verdict::kNote ? "note" : "missing";
}

void examine_machine() {
  bool complete = true;
  for (const Finding& finding : examine()) {
    fmt::print("{:<8} {}\n", verdict_text(finding.verdict), finding.sentence);
    if (!finding.remedy.empty()) fmt::print("{:<8}   {}\n", "", finding.remedy);
    complete = complete && finding.verdict != Verdict::kMissing;
  }
  if (!complete) throw CLI::RuntimeError(1);
}

void print_names(const std::vector<std::string>& names, const char* what) {
  if (names.empty()) return;
  fmt::print("  {}:\n", what);
  for (const std::string& name : names) fmt::print("    {}\n", name);
}

bool examine_program(const Interface& interface, const std::string& name) {
  std::filesystem::path file = name;
  if (!std::filesystem::exists(file)) file = find_program(name);  // shared libraries are not in PATH
  if (file.empty()) throw std::runtime_error(name + " is not there.");
  const auto unmet = find_unmet_dependencies(interface, file);
  if (!unmet) throw std::runtime_error(name + " is no program or library of this machine.");
  if (unmet->empty()) {
    fmt::print("{}: all of the {} functions of ACL that it names are built.\n", name, unmet->symbols);
    return true;
  }
  fmt::print("{}: names {} functions of ACL.\n", name, unmet->symbols);
  print_names(unmet->not_built, "not built; \"aclvk support NAME\" tells more");
  print_names(unmet->refused, "not on Vulkan; \"aclvk support NAME\" tells why");
  print_names(unmet->unknown, "not of the interface that aclvk knows");
  print_names(unmet->missing_libraries, "libraries that aclvk does not stand for");
  if (unmet->needs_stand_ins) {
    fmt::print(
        "  The loader stops at an operator that is not in the library; \"aclvk run -- {}\" lets known ones answer "
        "207000.\n",
        name);
  }
  return false;
}

void diagnose(const std::vector<std::string>& programs) {
  if (programs.empty()) return examine_machine();
  const Interface interface;
  bool all = true;
  for (const std::string& program : programs) all = examine_program(interface, program) && all;
  if (!all) throw CLI::RuntimeError(1);
}

}  // namespace

void add_doctor(CLI::App& app) {
  auto* command = app.add_subcommand("doctor", "Finds what is missing on this machine, or to programs");
  auto programs = std::make_shared<std::vector<std::string>>();
  command->add_option(
      "PROGRAM", *programs,
      "Programs or libraries: which functions of theirs are not here. Exit code 1: something is missing");
  command->callback([programs] { diagnose(*programs); });
}

}  // namespace cli
