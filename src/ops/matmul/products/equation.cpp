#include "ops/matmul/products/equation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

// 52 letters and 12 dims of an ellipsis are the 64 bits of a label set.
constexpr std::size_t kMaxDims = 12;  // of an ellipsis; label sets have 64 bits

/// The term of one tensor.
struct Term {
  Labels before;  ///< of the ellipsis, if any
  bool has_ellipsis = false;
  Labels after;

  std::size_t letters() const { return before.size() + after.size(); }
};

std::optional<int> label_of(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return 26 + letter - 'a';
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view equation) : equation_(equation) {}

  std::vector<Term> parse_operands() {
    std::vector<Term> terms{parse_term()};
    while (take(",")) terms.push_back(parse_term());
    return terms;
  }
  std::optional<Term> parse_output() {
    if (at_end()) return std::nullopt;
    check(take("->"), Code::kNnInvalid,
          "equation \"{}\" has '{}' at position {}; a letter, \"...\", \",\" or \"->\" is expected.", equation_,
          equation_[place_], place_);
    Term term = parse_term();
    check(at_end(), Code::kNnInvalid,
          "equation \"{}\" has '{}' at position {}; after \"->\" a letter or \"...\" is expected.", equation_,
          equation_[place_], place_);
    return term;
  }

 private:
  bool at_end() {
    while (place_ < equation_.size() && equation_[place_] == ' ') ++place_;
    return place_ == equation_.size();
  }
  bool take(std::string_view word) {
    if (at_end() || equation_.substr(place_, word.size()) != word) return false;
    place_ += word.size();
    return true;
  }
  Term parse_term() {
    Term term;
    while (!at_end()) {
      if (const auto label = label_of(equation_[place_])) {
        (term.has_ellipsis ? term.after : term.before).push_back(*label);
        ++place_;
      } else if (take("...")) {
        check(!term.has_ellipsis, Code::kNnInvalid,
              "equation \"{}\" has two ellipses for one tensor; at most one is expected.", equation_);
        term.has_ellipsis = true;
      } else {
        break;
      }
    }
    return term;
  }

  std::string_view equation_;
  std::size_t place_ = 0;
};

/// Returns the number of dims that the ellipsis of an operand stands for.
std::size_t ellipsis_dims(std::string_view equation, const Term& term, std::size_t rank, std::size_t number) {
  check(term.has_ellipsis ? term.letters() <= rank : term.letters() == rank, Code::kNnInvalid,
        "equation \"{}\" has {} letters for tensor {}, which has {} dimensions.", equation, term.letters(), number,
        rank);
  return rank - term.letters();
}

Labels with_ellipsis(const Term& term, std::size_t dims, std::size_t most) {
  Labels labels = term.before;
  // Ellipses broadcast like shapes: aligned at their last dims.
  for (std::size_t i = most - dims; i < most && term.has_ellipsis; ++i) {
    labels.push_back(kLetters + static_cast<int>(i));
  }
  labels.insert(labels.end(), term.after.begin(), term.after.end());
  return labels;
}

using Counts = std::array<int, kLetters + kMaxDims>;

Counts counts_of(const std::vector<Labels>& operands) {
  Counts counts{};
  for (const Labels& labels : operands) {
    for (const int label : labels) ++counts[static_cast<std::size_t>(label)];
  }
  return counts;
}

// As torch.einsum without "->": the dims of the ellipsis, then each letter that occurs once, in alphabetical
// order, capitals first.
Labels implicit_output(const Counts& counts, std::size_t ellipsis) {
  Labels output;
  for (std::size_t i = 0; i < ellipsis; ++i) output.push_back(kLetters + static_cast<int>(i));
  for (int label = 0; label < kLetters; ++label) {
    if (counts[static_cast<std::size_t>(label)] == 1) output.push_back(label);
  }
  return output;
}

void check_output(std::string_view equation, const Labels& output, const Counts& counts) {
  for (std::size_t i = 0; i < output.size(); ++i) {
    check(counts[static_cast<std::size_t>(output[i])] > 0, Code::kNnInvalid,
          "equation \"{}\" has {} in the output; none of the tensors has it.", equation, label_text(output[i]));
    check(std::find(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(i), output[i]) ==
              output.begin() + static_cast<std::ptrdiff_t>(i),
          Code::kNnInvalid, "equation \"{}\" has {} twice in the output; once is allowed.", equation,
          label_text(output[i]));
  }
}

}  // namespace

std::string label_text(int label) {
  if (label >= kLetters) return fmt::format("dim {} of the ellipsis", label - kLetters);
  return fmt::format("'{}'", static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26));
}

Equation parse_equation(std::string_view equation, const std::vector<std::size_t>& ranks) {
  Parser parser(equation);
  const std::vector<Term> terms = parser.parse_operands();
  const std::optional<Term> output = parser.parse_output();
  check(terms.size() == ranks.size(), Code::kNnInvalid, "equation \"{}\" is for {} tensors; {} are given.", equation,
        terms.size(), ranks.size());
  std::vector<std::size_t> dims;
  for (std::size_t i = 0; i < terms.size(); ++i) dims.push_back(ellipsis_dims(equation, terms[i], ranks[i], i));
  const std::size_t most = *std::max_element(dims.begin(), dims.end());
  check(most <= kMaxDims, Code::kNnInvalid, "an ellipsis stands for {} dimensions; at most {} are supported.", most,
        kMaxDims);
  Equation result;
  for (std::size_t i = 0; i < terms.size(); ++i) result.operands.push_back(with_ellipsis(terms[i], dims[i], most));
  const Counts counts = counts_of(result.operands);
  result.output = output ? with_ellipsis(*output, most, most) : implicit_output(counts, most);
  check_output(equation, result.output, counts);
  return result;
}

}  // namespace aclvk::ops
