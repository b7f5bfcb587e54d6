#version 460
#extension GL_GOOGLE_include_directive : require
// variants: narrow wide
// Merges pairs of sorted runs of `width` records; only the first `keep` records of the result are needed. A thread finds its start in both
// runs by binary search (merge path), then merges kPerThread records. Of equal keys those of the first run come first, so the sort is stable.

#include "sort/merge.args.h"
#define OPERANDS 2
#define OWN_ARGUMENTS MERGE_ARGUMENTS
#include "common/kernel.glsl"
#include "sort/records.glsl"

layout(local_size_x = 64) in;
ACLVK_CONSTANTS(MERGE_CONSTANTS)

uint merge_path(uvec2 slot, uint first, uint first_size, uint second, uint second_size, uint done) {
  uint low = done > second_size ? done - second_size : 0u;
  uint high = min(done, first_size);
  while (low < high) {  // iterations: binary search
    const uint middle = low + (high - low) / 2u;
    if (is_less(load_record(slot, second + done - 1u - middle), load_record(slot, first + middle))) high = middle;
    else low = middle + 1u;
  }
  return low;
}

void main() {
  const uint threads = ACLVK_ARGUMENT(threads);
  const uint count = ACLVK_ARGUMENT(count);
  const uint width = ACLVK_ARGUMENT(width);
  const uint keep = ACLVK_ARGUMENT(keep);
  const uint pairs = ACLVK_ARGUMENT(pairs);
  const uint shares = ACLVK_ARGUMENT(shares);
  const uvec2 source = slot_of(0);
  const uvec2 target = slot_of(1);
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint thread = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (thread >= threads) return;
  const uint pair = thread / shares;
  const uint done = (thread - pair * shares) * kPerThread;
  const uint row = pair / pairs;
  const uint start = (pair - row * pairs) * 2u * width;  // of the first run in the row
  const uint left = count - start;
  const uint first_size = min(min(width, left), keep);
  const uint second_size = left > width ? min(min(width, left - width), keep) : 0u;
  const uint size = min(first_size + second_size, keep);
  if (done >= size) return;

  const uint first = row * count + start;
  const uint second = first + (second_size > 0u ? width : 0u);
  uint i = merge_path(source, first, first_size, second, second_size, done);
  uint j = done - i;
  Record x = load_record(source, first + min(i, first_size - 1u));
  Record y = load_record(source, second + min(j, max(second_size, 1u) - 1u));
  const uint end = min(done + kPerThread, size);
  for (uint n = done; n < end; ++n) {  // iterations: kPerThread
    const bool takes_first = j >= second_size || i < first_size && !is_less(y, x);
    store_record(target, first + n, takes_first ? x : y);
    i += uint(takes_first);
    j += uint(!takes_first);
    const Record next = load_record(
        source, takes_first ? first + min(i, first_size - 1u) : second + min(j, max(second_size, 1u) - 1u));
    x = takes_first ? next : x;
    y = takes_first ? y : next;
  }
}
