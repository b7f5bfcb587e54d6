// Programs of calls in any order, with live, stale, foreign and invented handles, wild sizes and enums, on two threads
// that alternate. A host model predicts the code of each call as far as the specification settles it; another code is
// a finding.
#include "api_sequence/sequence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  aclvk::fuzz::Sequence sequence{aclvk::fuzz::Bytes(data, size)};
  sequence.run();
  return 0;
}
