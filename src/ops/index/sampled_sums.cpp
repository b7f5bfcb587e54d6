#include "ops/index/sampled_sums.hpp"

namespace aclvk::ops {

Kernels add_to_elements(const char* name, const Tensor& elements, const Tensor& products, const Tensor& sums) {
  ScatterCall call;
  call.name = name;
  call.combination = Combination::kAdd;
  call.out = sums;
  call.index = elements;
  call.source = products;
  call.columns = {sums.shape[0], sums.shape[1], sums.shape[2]};
  call.out_steps = {sums.strides[0], sums.strides[1], sums.strides[2]};
  call.index_steps = {elements.strides[0], elements.strides[1], 0};
  call.source_steps = {products.strides[0], products.strides[1], products.strides[2]};
  call.count = products.shape[3];
  call.index_step = 1;
  call.source_step = 1;
  call.range = {sums.shape[3], 1, false};
  return scatter_kernels(call);
}

}  // namespace aclvk::ops
