#include <stddef.h>
/* A list. */
struct list { int value; struct list *next; };
typedef struct list list_t;
static int sum(const list_t *list, int start) {
  int total = start;
  for (; list != NULL; list = list->next) {
    if (list->value > 0) { total += list->value; } else total -= 1;
  }
  return total;
}
int main(void) {
  list_t one = { 1, NULL }, two = { 2, &one };
  return sum(&two, 0x10) == 19 ? 0 : 1;
}
