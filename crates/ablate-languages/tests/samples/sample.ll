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

define range(i32 0, 9) i32 @later(ptr captures(none) %p) {
  #dbg_value(ptr %p, !0, !DIExpression(), !1)
  %q = getelementptr inbounds nuw i8, ptr %p, i64 4
  %v = load i32, ptr %q, align 4
  #dbg_value(!DIArgList(i32 %v, ptr %q), !0, !DIExpression(), !1)
  %w = mul <2 x i32> zeroinitializer, splat (i32 7)
  %x = extractelement <2 x i32> %w, i32 %v
  ret i32 %x
}

!0 = !DILocalVariable(name: "p", scope: !2)
!1 = !DILocation(line: 1, scope: !2)
!2 = distinct !DISubprogram(name: "later", unit: !3, spFlags: DISPFlagDefinition)
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4, emissionKind: FullDebug)
!4 = !DIFile(filename: "later.c", directory: "/")
!5 = !{i32 2, !"Debug Info Version", i32 3}
!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!5}
