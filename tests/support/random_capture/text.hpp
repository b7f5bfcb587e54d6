#pragma once

#include <string>

#include "support/random_capture/program.hpp"

// A program as text, a line a task.
namespace aclvk::test::random_capture {

inline std::string cell_text(const Program& program, std::size_t cell) {
  return (program.pinned(cell) ? "pinned " : "cell ") + std::to_string(cell);
}

inline std::string means_text(Means means) {
  static const char* const kNames[] = {"event", "notify", "external event", "value write"};
  return kNames[static_cast<int>(means)];
}

inline std::string op_text(const Program& program, const Op& op) {
  static const char* const kChoices[] = {"IF", "WHILE", "SWITCH"};
  const auto cell = [&](std::size_t number) { return cell_text(program, number); };
  const std::string value = std::to_string(op.value), edge = means_text(op.means) + " " + std::to_string(op.edge);
  switch (op.kind) {
    case Kind::kFill: return cell(op.out) + " = bytes of " + value;
    case Kind::kAdd: return cell(op.out) + " += " + value;
    case Kind::kMultiply: return cell(op.out) + " *= " + value;
    case Kind::kCopy: return cell(op.out) + " = " + cell(op.in);
    case Kind::kDelay: return "delay";
    case Kind::kCall:
      return "host function: " + cell(op.out) + " = 3 * " + cell(op.in) + " + " + value +
             (op.modulo ? ", modulo 4" : "");
    case Kind::kSet: return "word " + std::to_string(op.out) + " = " + cell(op.in);
    case Kind::kCondition:
      return std::string(kChoices[static_cast<int>(op.choice)]) + " word " + std::to_string(op.in) +
             (op.assigned ? ", " + std::to_string(*op.assigned) + " at first" : "");
    case Kind::kRecord: return "record by " + edge;
    case Kind::kWait: return "wait for " + edge;
    case Kind::kLoop: return "loop while " + cell(op.in) + " is not 0";
    case Kind::kActivate: return "activate stream " + std::to_string(op.out);
    case Kind::kSwitch: return "switch if " + cell(op.in) + " == " + cell(op.out);
    case Kind::kGroup: break;
  }
  std::string text = "group:";
  for (const Change& change : op.changes) {
    text += " " + cell(change.out) + (change.multiplies ? " *= " : " += ") + std::to_string(change.value);
  }
  return text;
}

inline std::string block_text(const Program& program, const Block& block, const std::string& indent) {
  std::string text;
  for (const Op& op : block.ops) {
    if (!program.has(op)) continue;
    text +=
        indent + std::to_string(op.id) + ": stream " + std::to_string(op.stream) + " " + op_text(program, op) + "\n";
    for (std::size_t i = 0; i < op.bodies.size(); ++i) {
      text += indent + "  body " + std::to_string(i) + ", from stream " + std::to_string(op.bodies[i].streams.front()) +
              "\n";
      text += block_text(program, op.bodies[i], indent + "    ");
    }
  }
  return text;
}

inline std::string action_text(const Program& program, const Action& action) {
  switch (action.kind) {
    case Action::Kind::kRun: return "run model " + std::to_string(action.model);
    case Action::Kind::kAdd: return cell_text(program, action.out) + " += " + std::to_string(action.values.front());
    case Action::Kind::kSync: return "synchronise";
    case Action::Kind::kUpdate: break;
  }
  std::string text = "update group " + std::to_string(action.op) + " to";
  for (const std::int32_t value : action.values) text += " " + std::to_string(value);
  return text;
}

inline std::string text(const Program& program) {
  std::string text = "seed " + std::to_string(program.seed) + ": " + std::to_string(program.elements) +
                     " numbers a cell, which begins with its number + 1, the last " +
                     std::to_string(program.control_cells) + " of the device with 0\n";
  for (std::size_t i = 0; i < program.models.size(); ++i) {
    const Model& model = program.models[i];
    text += "model " + std::to_string(i) + (model.built ? ", built\n" : ", captured\n");
    text += block_text(program, model.block, "  ");
  }
  text += "then\n";
  for (const Action& action : program.actions) text += "  " + action_text(program, action) + "\n";
  return text;
}

}  // namespace aclvk::test::random_capture
