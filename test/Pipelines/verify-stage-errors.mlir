// RUN: pyk-opt %s --pyk-verify-stage=stage=spirv --verify-diagnostics

// expected-error @below {{expects a stage of pyk, gpu or nvvm but got 'spirv'}}
module {
}
