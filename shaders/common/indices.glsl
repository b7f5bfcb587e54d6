// Elements of index tensors: int32, int64 and, in the workspace, uint32. A 64-bit index is read as two words, and its upper word only
// checked, since no tensor that a shader accesses has 2^32 elements. A shader declares the constant kFromEnd (negative indices count from
// the end) before it includes this.

const uint kNoIndex = ~0u;  // not below any size

// Resolves an index into a dim of `size` elements. Returns kNoIndex when it is out of range.
uint resolve_index(uvec4 index, uint dtype, uint size) {
  const bool wide = dtype == kInt64;
  const bool negative = dtype != kUint32 && int(wide ? index.y : index.x) < 0;
  // A negative index of a valid position is at least -size, so the sum of its lower word and the size is that position.
  const bool short_enough = !wide || index.y == (negative ? ~0u : 0u);
  const uint position = negative ? (kFromEnd ? index.x + size : kNoIndex) : index.x;
  return short_enough && position < size ? position : kNoIndex;
}
