// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions that run_pass_examples.py refuses, and one that it accepts.

include "mlir/Pass/PassBase.td"

def AnotherOutputPass : Pass<"pyk-select-kernel"> {
  let summary = "an output that was right once";
  let description = [{
    Example: with `kernel=second`,
    ```mlir
    pyk.func @first() attributes {kernel} {
      pyk.return
    }
    pyk.func @second() attributes {kernel} {
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @first() attributes {kernel} {
      pyk.return
    }
    ```
  }];
}

def AnotherTextPass : Pass<"pyk-verify-stage"> {
  let summary = "an error that was called so once";
  let description = [{
    Example: with `stage=gpu`,
    ```mlir
    pyk.func @kernel() attributes {kernel} {
      pyk.return
    }
    ```
    is refused:
    ```text
    error: this is not what stage gpu is made of
    ```
  }];
}

def NoChangePass : Pass<"pyk-mark-spins"> {
  let summary = "an example that shows nothing";
  let description = [{
    Example:
    ```mlir
    pyk.func @nothing() {
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @nothing() {
      pyk.return
    }
    ```
  }];
}

def NoExamplePass : Pass<"pyk-fold-ranges"> {
  let summary = "a description without an example";
  let description = [{
    More examples: `test/Dialect/Pyk/Transforms/fold-ranges.mlir`
  }];
}

def NoIRPass : Pass<"pyk-flatten-exits"> {
  let summary = "an input that does not parse";
  let description = [{
    Example:
    ```mlir
    pyk.func @nothing() {
    ```
    becomes
    ```mlir
    ```
  }];
}

def NoTestPass : Pass<"pyk-bound-loops"> {
  let summary = "a test that was there once";
  let description = [{
    More examples: `test/Dialect/Pyk/Transforms/no-such-test`
  }];
}

def OtherNamesPass : Pass<"pyk-select-kernel"> {
  let summary = "another way to write the same";
  let description = [{
    Example: with `kernel=second`, and `--canonicalize` behind it,
    ```mlir
    pyk.func @first() attributes {kernel} {
      pyk.return
    }
    pyk.func @second(%x: f32) attributes {kernel} {
      %y = arith.addf %x, %x : f32
      pyk.return
    }
    ```
    becomes
    ```mlir
    pyk.func @second(
        %z: f32) attributes {kernel} { pyk.return }
    ```
  }];
}
