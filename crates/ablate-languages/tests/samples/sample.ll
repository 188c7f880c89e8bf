; ModuleID = 'sample'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32"
target triple = "x86_64-unknown-linux-gnu"

%struct.box = type { i32, ptr }

@limit = global i32 10, align 4

define i32 @twice(i32 %x) {
entry:
  %cmp = icmp sgt i32 %x, 0
  br i1 %cmp, label %then, label %else

then:
  %mul = mul nsw i32 %x, 2
  ret i32 %mul

else:
  %v = load i32, ptr @limit, align 4
  call void @done(i32 %v)
  ret i32 0
}

declare void @done(i32)
