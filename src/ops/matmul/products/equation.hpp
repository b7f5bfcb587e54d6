#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aclvk::ops {

/// The labels of a tensor's dims in an einsum equation. 'A' to 'Z' are 0 to 25, 'a' to 'z' follow, then the dims of an
/// ellipsis, which count from the right so that shorter ellipses broadcast.
using Labels = std::vector<int>;
/// Labels of letters are below kLetters.
constexpr int kLetters = 52;

/// A parsed equation.
struct Equation {
  std::vector<Labels> operands;  ///< a label may occur twice in one operand: its diagonal
  Labels output;                 ///< each label occurs once
};

/// Parses an equation such as "ij,jk->ik" by the rules of torch.einsum, for tensors of these ranks. Without "->" the
/// output has the dims of an ellipsis and then, in alphabetical order, the letters that occur once. 161002 for a
/// malformed equation, or one that does not fit the ranks.
Equation parse_equation(std::string_view equation, const std::vector<std::size_t>& ranks);

/// Returns a label as text for messages: 'i', or dim 2 of the ellipsis.
std::string label_text(int label);

}  // namespace aclvk::ops
