#pragma once

#include <cstdint>

#include "ops/tensor.hpp"

namespace aclvk::ops {

/// In which order the dims of q, k and v come: B batch, S tokens, T the tokens of all sequences, N heads, D columns,
/// H heads with their columns.
enum class Layout { kBsh, kBsnd, kBnsd, kNbsd, kSbh, kTnd, kNtd, kNsd, kSh };

/// By its name; "BNSD_BSND" is BNSD here. 161001 for NULL, 161002 for a name that there is none of.
Layout layout_of(const char* name);
/// Of the result, where it has another: "BNSD_BSND".
Layout result_layout_of(const char* name);

/// Whether sequences follow each other.
inline bool is_packed(Layout layout) { return layout == Layout::kTnd || layout == Layout::kNtd; }

/// The tensor as batch, heads, tokens, columns. 161002 for another number of dims, or an H that is no multiple of the
/// heads. A layout without B has one sequence, or all of them (T).
Tensor by_heads(const Tensor& tensor, const char* name, Layout layout, std::int64_t heads);

}  // namespace aclvk::ops
