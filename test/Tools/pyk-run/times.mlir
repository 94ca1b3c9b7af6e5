// A time is given, and printed, as the count of its units.

// RUN: pyk-run %s --grid=1 --block=1 --arg=i64[3]=iota --arg=i64:3 --print=0 \
// RUN:   | FileCheck %s
// CHECK: 0: i64[3] = [73, 1, 2]

// One day is 24 hours.
py.func @later(["hours", "days"]) kernel arguments [
    !pyk.array<?x!py.time<datetime, h>, c>, !py.time<timedelta, D>] {
  %hours = py.get "hours" : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %one = py.constant(#py.int<1 : si64>) : !py.object
  %days = py.get "days" : !py.object
  %first = py.subscript %hours[%one] : (!py.object, !py.object) -> !py.object
  %sum = py.binary add %first, %days : (!py.object, !py.object) -> !py.object
  py.set_subscript %sum, %hours[%zero] : !py.object, !py.object, !py.object
}
