#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/op_fixture.hpp"

namespace aclvk::test {

/// How a member of a list lies in memory.
struct Member {
  Shape shape;
  View view{};
};

/// All that makes a difference: mixed sizes, one empty, a scalar, views with gaps, places without alignment, a large
/// one.
inline const std::vector<Member>& mixed_members() {
  static const std::vector<Member> members = {{{5, 7}},
                                              {{1009}},
                                              {{0, 3}},
                                              {{}},
                                              {{7, 11}, {{1, 7}, 3}},
                                              {{64}},
                                              {{13}, {{2}, 5, 4}},
                                              {{61}, {{1}, 1, 2}},
                                              {{3, 1, 2}},
                                              {{4099}},
                                              {{2}},
                                              {{512}},
                                              {{33000}}};
  return members;
}

/// Enough for dtypes whose views differ in nothing: each kind of view is a pipeline more for the driver to compile.
inline const std::vector<Member>& few_members() {
  static const std::vector<Member> members = {{{64}}, {{5, 7}}, {{7, 11}, {{1, 7}, 3}}, {{1009}}, {{128}}};
  return members;
}

/// Tensors with a list of them for calls.
class OpTensorList {
 public:
  OpTensorList(aclDataType type, const std::vector<Member>& members, unsigned seed = 1) {
    std::vector<aclTensor*> handles;
    for (const Member& member : members) {
      tensors_.push_back(std::make_unique<OpTensor>(type, member.shape, member.view));
      tensors_.back()->fill_random(seed++);
      handles.push_back(handle_of(*tensors_.back(), member));
      tensors_.back()->also(handles.back());
    }
    list_ = aclCreateTensorList(handles.data(), handles.size());
  }
  ~OpTensorList() { aclDestroyTensorList(list_); }  // with the handles in it
  OpTensorList(const OpTensorList&) = delete;
  OpTensorList& operator=(const OpTensorList&) = delete;

  aclTensorList* get() const { return list_; }
  std::size_t size() const { return tensors_.size(); }
  OpTensor& operator[](std::size_t i) const { return *tensors_[i]; }
  void add_to(std::vector<const OpTensor*>& all) const {
    for (const auto& tensor : tensors_) all.push_back(tensor.get());
  }

 private:
  static aclTensor* handle_of(const OpTensor& tensor, const Member& member) {
    const Shape strides = member.view.strides.empty() ? OpTensor::row_major(member.shape) : member.view.strides;
    const std::int64_t storage = 1 << 20;  // of no meaning for a view
    return aclCreateTensor(member.shape.data(), member.shape.size(), tensor.type(), strides.data(), member.view.offset,
                           ACL_FORMAT_ND, &storage, 1, tensor.memory());
  }

  std::vector<std::unique_ptr<OpTensor>> tensors_;
  aclTensorList* list_ = nullptr;
};

/// A list of scalars that begin with `first` and grow by one.
class OpScalars {
 public:
  OpScalars(aclDataType type, Real first, std::size_t count) : first_(first) {
    std::vector<aclScalar*> handles;
    for (std::size_t i = 0; i < count; ++i) {
      std::byte bytes[16]{};
      write_element(bytes, type, first + Real(i));
      handles.push_back(aclCreateScalar(bytes, type));
    }
    list_ = aclCreateScalarList(handles.data(), handles.size());
  }
  ~OpScalars() { aclDestroyScalarList(list_); }
  OpScalars(const OpScalars&) = delete;
  OpScalars& operator=(const OpScalars&) = delete;

  aclScalarList* get() const { return list_; }
  Real operator[](std::size_t i) const { return first_ + Real(i); }

 private:
  Real first_;
  aclScalarList* list_ = nullptr;
};

/// Runs operators on lists, directly and replayed.
class ListTest : public OpTest {
 protected:
  using Expected = std::function<Number(std::size_t member, std::int64_t element)>;

  static void expect(const std::string& what, const Plan& plan, Launch launch,
                     const std::vector<const OpTensor*>& inputs, const OpTensorList& out, const Expected& expected,
                     bool exact) {
    SCOPED_TRACE(what + " of dtype " + std::to_string(out[0].type()));
    std::vector<const OpTensor*> all = inputs;
    out.add_to(all);
    const OpTensor& last = out[out.size() - 1];
    const auto of_last = run(plan, launch, all, last);
    for (std::size_t m = 0; m < out.size(); ++m) {
      SCOPED_TRACE("member " + std::to_string(m));
      const auto bytes = m + 1 < out.size() ? out[m].download() : of_last;
      EXPECT_TRUE(out[m].only_elements_changed(bytes)) << "bytes outside of the output were written";
      const auto want = [&](std::int64_t i) {
        const Number value = expected(m, i);
        return is_integer(out[m].type()) ? value : Number(rounded(value, out[m].type()));
      };
      expect_elements(out[m], bytes, want, exact || is_integer(out[m].type()));
    }
  }
};

}  // namespace aclvk::test
