// The operators of this folder.
#include <memory>

#include "ops/args/rnn.hpp"
#include "ops/rnn/bidirection_lstm.hpp"
#include "ops/rnn/lstm.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan(const LSTMArgs& args) {
  return plan_lstm({args.input,
                    args.params,
                    args.hx,
                    args.batchSizes,
                    args.output,
                    args.hy,
                    args.cy,
                    {args.iOut, args.jOut, args.fOut, args.oOut, args.hOut, args.cOut, args.tanhCOut}},
                   {args.hasBias, args.numLayers, args.train, args.bidirectional, args.batchFirst});
}
std::shared_ptr<Executor> plan(const LstmBackwardArgs& args) {
  return plan_lstm_backward({args.input,
                             args.hx,
                             args.params,
                             args.dy,
                             args.dh,
                             args.dc,
                             {args.i, args.g, args.f, args.o, args.h, args.c, args.tanhc},
                             args.batchSizesOptional,
                             args.outputMask,
                             args.dxOut,
                             args.dhPrevOut,
                             args.dcPrevOut,
                             args.dparamsOut},
                            {args.hasBias, args.numLayers, args.train, args.bidirectional, args.batchFirst});
}
std::shared_ptr<Executor> plan(const BidirectionLSTMArgs& args) {
  return plan_bidirection_lstm({args.x,
                                args.initH,
                                args.initC,
                                {args.wIh, args.wHh, args.bIhOptional, args.bHhOptional, args.wIhReverseOptional,
                                 args.wHhReverseOptional, args.bIhReverseOptional, args.bHhReverseOptional},
                                args.yOut,
                                args.outputHOut,
                                args.outputCOut},
                               {args.numLayers, args.isbias, args.batchFirst, args.bidirection});
}

}  // namespace aclvk::ops
