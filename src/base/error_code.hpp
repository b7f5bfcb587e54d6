#pragma once

namespace aclvk {

/// The numbers that cross the C boundary, by what the caller can do about them. Values are those of the interface
/// tables (api/enums.tsv); tests/unit/base compares them with the public headers.
enum class Code : int {
  kSuccess = 0,

  // Refused before the runtime looked at it: NULL, zero sizes, reserved arguments.
  kInvalidParam = 100000,
  kUninitialized = 100001,
  kRepeatInitialize = 100002,
  kInvalidFile = 100003,
  kParseFile = 100006,
  kInvalidDumpConfig = 100009,
  kInvalidProfilingConfig = 100010,
  kRepeatFinalize = 100037,
  kProfilingRuns = 100042,
  kProfilingStands = 100043,
  kProfilingSubscribed = 148046,
  kProfilingConflict = 148047,
  kFeatureUnsupported = 200006,
  kInternalError = 500000,
  kFailure = 500001,
  kProfilingFailure = 500005,

  // The runtime looked and found a bad value, a bad handle or a bad state.
  kParamInvalid = 107000,
  kInvalidDeviceId = 107001,
  kContextNull = 107002,
  kStreamContext = 107003,
  kModelContext = 107004,
  kStreamModel = 107005,
  kEventTimestampInvalid = 107006,
  kStreamSubscribe = 107011,
  kThreadSubscribe = 107012,
  kStreamNoCallback = 107015,
  kInvalidMemoryType = 107016,
  kInvalidHandle = 107017,
  kWaitTimeout = 107019,
  kTaskTimeout = 107020,
  kSysParamNotSet = 107021,
  kDeviceTaskAbort = 107022,
  kStreamAbort = 107023,
  kCaptureDependency = 107024,
  kStreamUnjoined = 107025,
  kModelCaptured = 107026,
  kStreamCaptured = 107027,
  kEventCaptured = 107028,
  kStreamNotCaptured = 107029,
  kCaptureModeNotSupported = 107030,
  kStreamCaptureImplicit = 107031,
  kStreamCaptureConflict = 107032,
  kTaskGroupStatus = 107033,
  kTaskGroupInterrupted = 107034,
  kStreamCaptureUnmatched = 107036,
  kModelRunning = 107037,
  kStreamCaptureWrongThread = 107038,
  kInsufficientInputArray = 107039,
  kModelUpdateFailed = 107040,
  kCaptureModeBlockAsync = 107041,
  kInvalidSymbol = 107043,
  kSubGraphCapturing = 107045,

  // Resources and features of the device.
  kFeatureNotSupported = 207000,
  kMemoryAllocation = 207001,
  kNoDevice = 207004,
  kResourceAllocation = 207005,
  kNoStreamResource = 207008,
  kNoModelResource = 207010,

  // Something failed inside the runtime or on the device.
  kRuntimeInternal = 507000,
  kStreamNotComplete = 507004,
  kEventNotComplete = 507006,
  kContextRelease = 507007,
  kTaskTypeNotSupported = 507009,
  kModelExecute = 507011,
  kReportTimeout = 507012,
  kModelAbortNormal = 507023,
  kStreamSyncTimeout = 507046,
  kEventSyncTimeout = 507047,
  kDriverError = 507899,
  kCaptureInvalidated = 507903,
  kHostMemoryRegistered = 507910,
  kHostMemoryNotRegistered = 507911,

  // The operator layer (aclnn*) has its own range.
  kNnNullptr = 161001,
  kNnInvalid = 161002,
  kNnRuntime = 361001,
  kNnInner = 561000,
  kNnInnerNullptr = 561103,
};

}  // namespace aclvk
