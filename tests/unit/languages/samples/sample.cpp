#include <vector>
using absl::StrCat;

namespace outer {
namespace inner {

// A queue of things.
template <typename T>
class Queue : public Base {
 public:
  explicit Queue(int size);
  ~Queue() = default;
  void Push(T value) { items_.push_back(value); }
  bool operator==(const Queue& o) const { return true; }
  int size() const;
 private:
  std::vector<T> items_;
};

struct Point { int x; };
enum class Colour { Red };
using Alias = Queue<int>;
typedef Queue<int> IntQueue;
constexpr int kLimit = 3;

int Queue<int>::size() const { return 1; }
void Point::Move(int dx) { Shift(dx); }

template <typename T>
T Max(T a, T b) { return a > b ? a : b; }

}  // namespace inner
}  // namespace outer

int outer::inner::Run() { return outer::Go(); }
#define CHECK(x) x
TEST(QueueTest, Pushes) { EXPECT_EQ(1, 1); }
