#include "ops/attention/layout.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

// A value of inputLayout. Its letters: B sequences, S tokens of a sequence, T tokens of all sequences, N heads, D
// columns of a head, H = N * D. A pair names the layouts of the inputs and of the result.
struct LayoutName {
  std::string_view name;
  Layout layout;
  Layout result;
};
constexpr std::array<LayoutName, 16> kLayouts = {{{"BSH", Layout::kBsh, Layout::kBsh},
                                                  {"BSND", Layout::kBsnd, Layout::kBsnd},
                                                  {"BNSD", Layout::kBnsd, Layout::kBnsd},
                                                  {"BNSD_BSND", Layout::kBnsd, Layout::kBsnd},
                                                  {"BSH_BNSD", Layout::kBsh, Layout::kBnsd},
                                                  {"BSND_BNSD", Layout::kBsnd, Layout::kBnsd},
                                                  {"BSH_NBSD", Layout::kBsh, Layout::kNbsd},
                                                  {"BSND_NBSD", Layout::kBsnd, Layout::kNbsd},
                                                  {"BNSD_NBSD", Layout::kBnsd, Layout::kNbsd},
                                                  {"SBH", Layout::kSbh, Layout::kSbh},
                                                  {"TND", Layout::kTnd, Layout::kTnd},
                                                  {"NTD", Layout::kNtd, Layout::kNtd},
                                                  {"TND_NTD", Layout::kTnd, Layout::kNtd},
                                                  {"NTD_TND", Layout::kNtd, Layout::kTnd},
                                                  {"NSD", Layout::kNsd, Layout::kNsd},
                                                  {"SH", Layout::kSh, Layout::kSh}}};

const LayoutName& find(const char* name) {
  require(name, "inputLayout");
  const auto* found =
      std::find_if(kLayouts.begin(), kLayouts.end(), [&](const LayoutName& named) { return named.name == name; });
  check(found != kLayouts.end(), Code::kNnInvalid,
        "inputLayout is \"{}\"; expected BSH, BSND, BNSD, SBH, TND, NTD, NSD or SH, or a pair such as BNSD_BSND.",
        name);
  return *found;
}

std::size_t rank_of(Layout layout) {
  const bool has_all = layout == Layout::kBsnd || layout == Layout::kBnsd || layout == Layout::kNbsd;
  return has_all ? 4 : layout == Layout::kSh ? 2 : 3;
}

/// Splits the last dim into heads and columns.
Tensor with_heads(const Tensor& tensor, const char* name, std::int64_t heads) {
  const std::size_t last = tensor.shape.size() - 1;
  check(tensor.shape[last] % heads == 0, Code::kNnInvalid,
        "{} has shape {}; a multiple of the number of heads, {}, is expected as the last dimension.", name,
        tensor.shape, heads);
  return unflattened(tensor, last, tensor.shape[last] / heads);
}

}  // namespace

Layout layout_of(const char* name) { return find(name).layout; }
Layout result_layout_of(const char* name) { return find(name).result; }

Tensor by_heads(const Tensor& tensor, const char* name, Layout layout, std::int64_t heads) {
  check(tensor.shape.size() == rank_of(layout), Code::kNnInvalid,
        "{} has shape {}; {} dimensions are expected in this layout.", name, tensor.shape, rank_of(layout));
  // All become B, N, S, D. Layouts without B get a dim of one sequence.
  switch (layout) {
    case Layout::kBsh: return permuted(with_heads(tensor, name, heads), {0, 2, 1, 3});
    case Layout::kBsnd: return permuted(tensor, {0, 2, 1, 3});
    case Layout::kNbsd: return permuted(tensor, {1, 0, 2, 3});
    case Layout::kSbh: return permuted(with_heads(tensor, name, heads), {1, 2, 0, 3});
    case Layout::kTnd: return repeated(permuted(tensor, {1, 0, 2}), 0, 1);
    case Layout::kNtd:
    case Layout::kNsd: return repeated(tensor, 0, 1);
    case Layout::kSh: return repeated(permuted(with_heads(tensor, name, heads), {1, 0, 2}), 0, 1);
    default: return tensor;
  }
}

}  // namespace aclvk::ops
