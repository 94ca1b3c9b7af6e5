// RUN: pyk-opt %s --split-input-file --verify-diagnostics

func.func @no_predicate() {
  // expected-error @below {{'pyk.barrier' op expects a vote, a predicate and a result, or none of them}}
  "pyk.barrier"() {vote = #pyk<barrier_vote count>} : () -> ()
  return
}

// -----

func.func @no_vote(%p: i1) {
  // expected-error @below {{'pyk.barrier' op expects a vote, a predicate and a result, or none of them}}
  %a = "pyk.barrier"(%p) : (i1) -> i32
  return
}

// -----

func.func @no_result(%p: i1) {
  // expected-error @below {{'pyk.barrier' op expects a vote, a predicate and a result, or none of them}}
  "pyk.barrier"(%p) {vote = #pyk<barrier_vote any>} : (i1) -> ()
  return
}
