#pragma once

#include <cstdint>

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// The order of dims of q, k and v: B batch, S tokens, T tokens of all sequences, N heads, D columns of a head, H = N *
/// D.
enum class Layout { kBsh, kBsnd, kBnsd, kNbsd, kSbh, kTnd, kNtd, kNsd, kSh };

/// Returns the layout of the inputs: kBnsd for "BNSD_BSND". 161001 for NULL, 161002 for an unknown name.
Layout layout_of(const char* name);
/// Returns the layout of the result: kBsnd for "BNSD_BSND".
Layout result_layout_of(const char* name);

/// Returns whether sequences are packed: concatenated along T.
inline bool is_packed(Layout layout) { return layout == Layout::kTnd || layout == Layout::kNtd; }

/// Returns a view with the dims batch, heads, tokens, columns. 161002 for a wrong number of dims, or an H that is no
/// multiple of `heads`. Layouts without B have a batch of 1.
Tensor by_heads(const Tensor& tensor, const char* name, Layout layout, std::int64_t heads);

}  // namespace aclvk::ops
