#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aclvk::ops {

/// The dims of a tensor in an equation of aclnnEinsum, each with the number of its letter. 'A' to 'Z' come first, then
/// 'a' to 'z', then the dims for which an ellipsis stands; those are counted from the right, so that shorter ones
/// broadcast.
using Labels = std::vector<int>;
constexpr int kLetters = 52;

struct Equation {
  std::vector<Labels> operands;  ///< a label may stand there twice: a diagonal
  Labels output;                 ///< each label once
};

/// Reads "ij,jk->ik" with torch.einsum's rules, for tensors of these ranks. Without "->" the output has the dims of an
/// ellipsis and then, in order, the letters that stand there once. 161002 for what is no equation, or none of these
/// tensors.
Equation parse_equation(std::string_view equation, const std::vector<std::size_t>& ranks);

/// How a label is written: "i", or "dim 2 of the ellipsis".
std::string label_text(int label);

}  // namespace aclvk::ops
