#pragma once

#include <initializer_list>
#include <vector>

#include "support/op_fixture.hpp"

namespace aclvk::test {

/// An aclIntArray for the length of a scope.
class OpInts {
 public:
  OpInts(std::initializer_list<std::int64_t> values) : OpInts(std::vector<std::int64_t>(values)) {}
  explicit OpInts(const std::vector<std::int64_t>& values) : handle_(aclCreateIntArray(values.data(), values.size())) {}
  ~OpInts() { aclDestroyIntArray(handle_); }
  OpInts(const OpInts&) = delete;
  OpInts& operator=(const OpInts&) = delete;

  aclIntArray* get() const { return handle_; }

 private:
  aclIntArray* handle_ = nullptr;
};

/// An aclBoolArray of three for the length of a scope: bit i says whether result i is wanted.
class OpMask {
 public:
  explicit OpMask(unsigned bits) : bits_(bits) {
    const bool values[] = {(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0};
    handle_ = aclCreateBoolArray(values, 3);
  }
  ~OpMask() { aclDestroyBoolArray(handle_); }
  OpMask(const OpMask&) = delete;
  OpMask& operator=(const OpMask&) = delete;

  aclBoolArray* get() const { return handle_; }
  /// Returns the tensor, or NULL if the mask excludes this result.
  aclTensor* has(unsigned result, const OpTensor& tensor) const {
    return (bits_ >> result & 1U) != 0 ? tensor.get() : nullptr;
  }

 private:
  unsigned bits_;
  aclBoolArray* handle_ = nullptr;
};

/// An aclTensorList of tensors that outlive it; a null stands for NULL. Destroying it destroys their handles, too.
class OpList {
 public:
  explicit OpList(const std::vector<const OpTensor*>& tensors) {
    std::vector<aclTensor*> handles;
    for (const OpTensor* tensor : tensors) handles.push_back(tensor ? tensor->get() : nullptr);
    handle_ = aclCreateTensorList(handles.data(), handles.size());
  }
  ~OpList() { aclDestroyTensorList(handle_); }
  OpList(const OpList&) = delete;
  OpList& operator=(const OpList&) = delete;

  aclTensorList* get() const { return handle_; }

 private:
  aclTensorList* handle_ = nullptr;
};

/// A list of tensors that other lists hold, too.
class SharedList {
 public:
  explicit SharedList(const std::vector<const OpTensor*>& tensors) {
    std::vector<aclTensor*> handles;
    for (const OpTensor* tensor : tensors) {
      const Shape& shape = tensor->shape();
      handles.push_back(aclCreateTensor(shape.data(), shape.size(), tensor->type(), nullptr, 0, ACL_FORMAT_ND,
                                        shape.data(), shape.size(), tensor->memory()));
    }
    list_ = aclCreateTensorList(handles.data(), handles.size());
  }
  ~SharedList() { aclDestroyTensorList(list_); }  // with the handles in it
  SharedList(const SharedList&) = delete;
  SharedList& operator=(const SharedList&) = delete;

  aclTensorList* get() const { return list_; }

 private:
  aclTensorList* list_ = nullptr;
};

/// The coordinates of an element, counted in row-major order, and back.
inline Shape coordinates_of(std::int64_t element, const Shape& shape) {
  Shape coordinates(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    coordinates[i] = element % shape[i];
    element /= shape[i];
  }
  return coordinates;
}
inline std::int64_t element_at(const Shape& coordinates, const Shape& shape) {
  std::int64_t element = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) element = element * shape[i] + coordinates[i];
  return element;
}

/// An operator on one input and one output whose elements come from places of the input: `source` maps the coordinates
/// of the output to those of the input, and returns nothing where the output has `filler`.
using SourceOf = std::function<Shape(Shape)>;
inline const Shape kFiller = {-1};

/// A device for operators that move elements: results are equal to the last bit.
class MoveTest : public OpTest {
 protected:
  static void check_moved(const Plan& plan, Launch launch, const OpTensor& self, const OpTensor& out,
                          const SourceOf& source, Number filler = 0) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    const auto bytes = run(plan, launch, {&self}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const Shape from = source(coordinates_of(i, out.shape()));
          return from == kFiller ? rounded(filler, out.type()) : self.before(element_at(from, self.shape()));
        },
        true);
  }
};

}  // namespace aclvk::test
