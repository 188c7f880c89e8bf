#include <vector>
namespace shapes {
template <typename T, int N = 2> class Box : public std::vector<T> {
 public:
  explicit Box(T value) : value_(value) {}
  virtual T area() const noexcept { return value_ * N; }
 private:
  T value_;
};
enum class Kind { round, square = 4 };
}
using shapes::Box;
int main() {
  Box<int> box{3};
  auto twice = [&box](int x) -> int { return x + box.area(); };
  for (int i = 0; i < 3; ++i) box.push_back(i);
  return twice(static_cast<int>(shapes::Kind::square));
}

struct Base {
  int height;
};

struct Derived : Base {
  int width;
};
