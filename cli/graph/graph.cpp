// aclvk graph: draws a dumped model as an SVG image.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "commands.hpp"
#include "graph/picture.hpp"

namespace cli {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path + " cannot be read.");
  return text.str();
}

Picture read_picture(const std::string& path) {
  const std::string text = read_file(path);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool json = start != std::string::npos && (text[start] == '[' || text[start] == '{');
  try {
    return json ? read_trace(text) : read_dot(text);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{} is no dumped model: {}", path, error.what()));
  }
}

void draw(const std::string& input, std::string output) {
  const Picture picture = read_picture(input);
  if (output.empty()) output = std::filesystem::path(input).replace_extension(".svg").string();
  const std::string svg = draw_svg(picture);
  if (output == "-") {
    fmt::print("{}", svg);
    return;
  }
  std::ofstream file(output);
  file << svg;
  if (!file.flush()) throw std::runtime_error(output + " cannot be written.");
  fmt::print("{}: {} tasks, {} edges\n", output, picture.nodes.size(), picture.edges.size());
}

}  // namespace

void add_graph(CLI::App& app) {
  auto* command = app.add_subcommand("graph", "Draws a model that aclmdlRIDebugJsonPrint has written");
  auto input = std::make_shared<std::string>();
  auto output = std::make_shared<std::string>();
  command->add_option("FILE", *input, "The graph (.dot) or the trace (JSON)")->required()->check(CLI::ExistingFile);
  command->add_option("-o,--output", *output, "The picture, - for standard output; else beside FILE, ending with .svg");
  command->callback([input, output] { draw(*input, *output); });
}

}  // namespace cli
