#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

namespace aclvk::fuzz {

/// What a call may answer. The specification orders some of its checks and leaves others open: where several reasons to
/// refuse apply at once, each of their codes will do; where none applies, the call has to succeed.
class Prediction {
 public:
  /// A check that comes before all that are named later.
  Prediction& first(bool applies, int code) {
    if (applies && !decided_ && reasons_.empty()) decided_ = code;
    return *this;
  }
  /// A reason to refuse.
  Prediction& refused(bool applies, int code) {
    if (applies) reasons_.push_back(code);
    return *this;
  }
  /// What depends on more than a host model knows: time, or work on the device.
  Prediction& may(std::initializer_list<int> codes) {
    possible_.insert(possible_.end(), codes);
    return *this;
  }
  Prediction& may_if(bool applies, std::initializer_list<int> codes) { return applies ? may(codes) : *this; }
  /// Any code that is documented at all.
  Prediction& open(bool applies = true) {
    open_ |= applies;
    return *this;
  }

  bool allows(int code) const {
    if (decided_) return code == *decided_;
    if (open_ || has(possible_, code)) return true;
    return reasons_.empty() ? code == 0 : has(reasons_, code);
  }
  /// The call is certain to be refused.
  bool refuses() const { return decided_ ? *decided_ != 0 : !reasons_.empty() && !open_; }
  std::vector<int> codes() const {
    if (decided_) return {*decided_};
    std::vector<int> all = reasons_.empty() ? std::vector<int>{0} : reasons_;
    all.insert(all.end(), possible_.begin(), possible_.end());
    return all;
  }
  /// What an operator answers where the runtime refuses its kernel.
  Prediction& as_operator(int refused_code) {
    for (int& code : reasons_) code = refused_code;
    for (int& code : possible_) code = refused_code;
    return *this;
  }

 private:
  static bool has(const std::vector<int>& codes, int code) {
    return std::find(codes.begin(), codes.end(), code) != codes.end();
  }

  std::optional<int> decided_;
  std::vector<int> reasons_;
  std::vector<int> possible_;
  bool open_ = false;
};

}  // namespace aclvk::fuzz
