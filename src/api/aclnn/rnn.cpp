// LSTMs and their gradients (ops/rnn).
#include "api/aclnn/operator.hpp"
#include "ops/rnn/bidirection_lstm.hpp"
#include "ops/rnn/lstm.hpp"
#include "ops/rnn/lstm_cell.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnLSTM,
         plan_lstm({input, params, hx, batchSizes, output, hy, cy, {iOut, jOut, fOut, oOut, hOut, cOut, tanhCOut}},
                   {hasBias, numLayers, train, bidirectional, batchFirst}))
OPERATOR(aclnnLstmBackward, plan_lstm_backward({input,
                                                hx,
                                                params,
                                                dy,
                                                dh,
                                                dc,
                                                {i, g, f, o, h, c, tanhc},
                                                batchSizesOptional,
                                                outputMask,
                                                dxOut,
                                                dhPrevOut,
                                                dcPrevOut,
                                                dparamsOut},
                                               {hasBias, numLayers, train, bidirectional, batchFirst}))

OPERATOR(aclnnThnnFusedLstmCell,
         plan_lstm_cell({inputGates, hiddenGates, cx, inputBiasOptional, hiddenBiasOptional, hyOut, cyOut, storageOut}))
OPERATOR(aclnnThnnFusedLstmCellBackward,
         plan_lstm_cell_backward({gradHyOptional, gradCOptional, cx, cy, storage, gradGatesOut, gradCxOut, gradBiasOut},
                                 hasBias))

OPERATOR(aclnnBidirectionLSTM, plan_bidirection_lstm({x,
                                                      initH,
                                                      initC,
                                                      {wIh, wHh, bIhOptional, bHhOptional, wIhReverseOptional,
                                                       wHhReverseOptional, bIhReverseOptional, bHhReverseOptional},
                                                      yOut,
                                                      outputHOut,
                                                      outputCOut},
                                                     {numLayers, isbias, batchFirst, bidirection}))

}  // extern "C"
