a:
.b:
 1
c:
 2
d:
 3
e:
 4
f:
 5
g:
 call a
 call c
 6
