#pragma once

#include <cstdint>

namespace aclvk::runtime {
class Stream;
}

namespace aclvk::ops {

/// A number that a task is given, or the device address from which the kernel reads it when the stream comes to it.
struct RandomParameter {
  bool by_address = false;
  std::uint64_t value = 0;  ///< its bits, or the address
  std::uint32_t bytes = 0;  ///< of the number; 0: as many as its type has
};

/// aclrtRandomNumAsync. `function` is an aclrtRandomNumFuncType, `dtype` an aclDataType: that of the values, and of the
/// two parameters of the distribution unless their size says otherwise.
struct RandomNumbers {
  int dtype = 0;
  int function = 0;
  RandomParameter first;   ///< min, mean, or the ratio of what is dropped
  RandomParameter second;  ///< max or standard deviation
  RandomParameter seed;
  RandomParameter number;         ///< of values; for a mask, of bits
  const void* counter = nullptr;  ///< 64 bits on the device; null stands for 0
  void* result = nullptr;
};

/// Throws kInvalidParam for a dtype that has no random numbers.
void check_random_dtype(int dtype);
void random_numbers_in_stream(runtime::Stream& stream, const RandomNumbers& task);

}  // namespace aclvk::ops
