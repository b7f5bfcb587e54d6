#pragma once

#include <cstdint>

namespace aclvk::runtime {
class Stream;
}

namespace aclvk::ops {

/// A parameter of a task: a number, or a device address from which the kernel reads it when it runs.
struct RandomParameter {
  bool by_address = false;
  std::uint64_t value = 0;  ///< the bits of the number, or the address
  std::uint32_t bytes = 0;  ///< size of the number; 0: that of its type
};

/// aclrtRandomNumAsync. `function` is an aclrtRandomNumFuncType, `dtype` an aclDataType: that of the values, and of the
/// distribution's parameters unless `bytes` says otherwise.
struct RandomNumbers {
  int dtype = 0;
  int function = 0;
  RandomParameter first;   ///< minimum, mean, or the drop ratio
  RandomParameter second;  ///< maximum or standard deviation
  RandomParameter seed;
  RandomParameter number;         ///< the number of values; of bits for a mask
  const void* counter = nullptr;  ///< 64 bits on the device; null: 0
  void* result = nullptr;
};

/// Throws kInvalidParam for a dtype that is not supported.
void check_random_dtype(int dtype);
void random_numbers_in_stream(runtime::Stream& stream, const RandomNumbers& task);

}  // namespace aclvk::ops
