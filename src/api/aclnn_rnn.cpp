#include "api/aclnn_operator.hpp"
#include "ops/rnn/lstm_cell.hpp"

using namespace aclvk::ops;

extern "C" {

OPERATOR(aclnnThnnFusedLstmCell,
         plan_lstm_cell({inputGates, hiddenGates, cx, inputBiasOptional, hiddenBiasOptional, hyOut, cyOut, storageOut}))
OPERATOR(aclnnThnnFusedLstmCellBackward,
         plan_lstm_cell_backward({gradHyOptional, gradCOptional, cx, cy, storage, gradGatesOut, gradCxOut, gradBiasOut},
                                 hasBias))

}  // extern "C"
