// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status and Result as values: what they carry and how a message is put
// together. The messages of launches are in CpuLaunchErrorsTest.cpp.

#include "pyk/runtime/Status.h"

#include "gtest/gtest.h"

#include <memory>

using namespace pyk::runtime;

TEST(StatusTest, SuccessHasNoMessage) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::Ok);
  EXPECT_EQ(status.message(), "");
}

TEST(StatusTest, FailureSaysWhatWasDoneWhatWentWrongAndWhatToDo) {
  Status status = Status::failure(StatusCode::OutOfMemory, "making a buffer",
                                  "8 bytes are not there", "free 8 bytes");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::OutOfMemory);
  EXPECT_EQ(status.message(),
            "making a buffer: 8 bytes are not there; free 8 bytes");
}

TEST(StatusTest, EveryCodeHasItsName) {
  EXPECT_STREQ(statusCodeName(StatusCode::Ok), "Ok");
  EXPECT_STREQ(statusCodeName(StatusCode::InvalidArgument), "InvalidArgument");
  EXPECT_STREQ(statusCodeName(StatusCode::FailedPrecondition),
               "FailedPrecondition");
  EXPECT_STREQ(statusCodeName(StatusCode::OutOfMemory), "OutOfMemory");
  EXPECT_STREQ(statusCodeName(StatusCode::Unavailable), "Unavailable");
  EXPECT_STREQ(statusCodeName(StatusCode::NotFound), "NotFound");
  EXPECT_STREQ(statusCodeName(StatusCode::Unsupported), "Unsupported");
  EXPECT_STREQ(statusCodeName(StatusCode::InvalidImage), "InvalidImage");
  EXPECT_STREQ(statusCodeName(StatusCode::LaunchFailed), "LaunchFailed");
  EXPECT_STREQ(statusCodeName(StatusCode::DeviceLost), "DeviceLost");
  EXPECT_STREQ(statusCodeName(StatusCode::DriverFailed), "DriverFailed");
  EXPECT_STREQ(statusCodeName(StatusCode(255)), "unknown status code");
}

TEST(StatusTest, FailureOfANativeCallKeepsIt) {
  Status copy;
  {
    Status status =
        Status::failure(StatusCode::OutOfMemory, "a", "b", "c",
                        {"cuMemAlloc", 2, "CUDA_ERROR_OUT_OF_MEMORY"});
    copy = status;
  }
  ASSERT_NE(copy.native(), nullptr);
  EXPECT_EQ(copy.native()->call, "cuMemAlloc");
  EXPECT_EQ(copy.native()->code, 2);
  EXPECT_EQ(copy.native()->name, "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(copy.message(), "a: b; c");
  EXPECT_EQ(Status().native(), nullptr);
}

TEST(ResultTest, SuccessHoldsAValueThatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.status().ok());
  std::unique_ptr<int> moved = std::move(result.value());
  EXPECT_EQ(*moved, 7);
}

TEST(ResultTest, FailureKeepsItsStatus) {
  Result<int> result(Status::failure(StatusCode::Unavailable, "a", "b", "c"));
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::Unavailable);
  EXPECT_EQ(result.status().message(), "a: b; c");
}
