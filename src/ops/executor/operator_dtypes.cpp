#include "ops/executor/operator_dtypes.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

namespace aclvk::ops {
namespace {

constexpr OperatorDtypes kOperators[] = {
// Generated from interface/operators.tsv, sorted by name for the binary search.
#include "operator_dtypes.inc"
};

}  // namespace

const OperatorDtypes& dtypes_of(std::string_view name) noexcept {
  const auto* row = std::lower_bound(std::begin(kOperators), std::end(kOperators), name,
                                     [](const OperatorDtypes& each, std::string_view key) { return each.name < key; });
  // Names are literals of the entry points, so a missing row is an error of the build, not of the program.
  if (row == std::end(kOperators) || row->name != name) std::terminate();
  return *row;
}

}  // namespace aclvk::ops
