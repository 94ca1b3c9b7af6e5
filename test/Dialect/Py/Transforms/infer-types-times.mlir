// RUN: pyk-opt %s --py-infer-types | FileCheck %s

// Two units meet in the finer one, and a number leaves the unit alone, as in
// Numba; the quotient of two spans is NumPy's.
// CHECK-LABEL: py.func @operators(
py.func @operators(["month", "hour", "week", "ms", "any", "n", "x"]) kernel arguments [
    !py.time<datetime, M>, !py.time<datetime, h>, !py.time<timedelta, W>,
    !py.time<timedelta, ms>, !py.time<timedelta, generic>, ui8, f32] {
  %month = py.get "month" : !py.object
  %hour = py.get "hour" : !py.object
  %week = py.get "week" : !py.object
  %ms = py.get "ms" : !py.object
  %any = py.get "any" : !py.object
  %n = py.get "n" : !py.object
  %x = py.get "x" : !py.object
  // CHECK: py.binary sub %{{.*}} : (!py.time<datetime, M>, !py.time<datetime, h>) -> !py.time<timedelta, h>
  %sub_month_hour = py.binary sub %month, %hour : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary sub %{{.*}} : (!py.time<datetime, h>, !py.time<datetime, M>) -> !py.time<timedelta, h>
  %sub_hour_month = py.binary sub %hour, %month : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary add %{{.*}} : (!py.time<datetime, M>, !py.time<timedelta, W>) -> !py.time<datetime, W>
  %add_month_week = py.binary add %month, %week : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary add %{{.*}} : (!py.time<timedelta, W>, !py.time<datetime, h>) -> !py.time<datetime, h>
  %add_week_hour = py.binary add %week, %hour : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary sub %{{.*}} : (!py.time<datetime, h>, !py.time<timedelta, ms>) -> !py.time<datetime, ms>
  %sub_hour_ms = py.binary sub %hour, %ms : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary add %{{.*}} : (!py.time<datetime, h>, !py.time<timedelta, generic>) -> !py.time<datetime, h>
  %add_hour_any = py.binary add %hour, %any : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary add %{{.*}} : (!py.time<timedelta, W>, !py.time<timedelta, ms>) -> !py.time<timedelta, ms>
  %add_week_ms = py.binary add %week, %ms : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary sub %{{.*}} : (!py.time<timedelta, generic>, !py.time<timedelta, W>) -> !py.time<timedelta, W>
  %sub_any_week = py.binary sub %any, %week : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary mod %{{.*}} : (!py.time<timedelta, ms>, !py.time<timedelta, W>) -> !py.time<timedelta, ms>
  %mod_ms_week = py.binary mod %ms, %week : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary truediv %{{.*}} : (!py.time<timedelta, W>, !py.time<timedelta, ms>) -> f64
  %truediv_week_ms = py.binary truediv %week, %ms : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary floordiv %{{.*}} : (!py.time<timedelta, W>, !py.time<timedelta, ms>) -> si64
  %floordiv_week_ms = py.binary floordiv %week, %ms : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary mul %{{.*}} : (!py.time<timedelta, W>, ui8) -> !py.time<timedelta, W>
  %mul_week_n = py.binary mul %week, %n : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary mul %{{.*}} : (f32, !py.time<timedelta, ms>) -> !py.time<timedelta, ms>
  %mul_x_ms = py.binary mul %x, %ms : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary truediv %{{.*}} : (!py.time<timedelta, ms>, ui8) -> !py.time<timedelta, ms>
  %truediv_ms_n = py.binary truediv %ms, %n : (!py.object, !py.object) -> !py.object
  // CHECK: py.binary floordiv %{{.*}} : (!py.time<timedelta, ms>, f32) -> !py.time<timedelta, ms>
  %floordiv_ms_x = py.binary floordiv %ms, %x : (!py.object, !py.object) -> !py.object
  // CHECK: py.unary minus %{{.*}} : (!py.time<timedelta, W>) -> !py.time<timedelta, W>
  %minus = py.unary minus %week : (!py.object) -> !py.object
  // CHECK: py.compare lt %{{.*}} : (!py.time<datetime, M>, !py.time<datetime, h>) -> i1
  %less = py.compare lt %month, %hour : (!py.object, !py.object) -> !py.object
}
