// The headers between those of C++, in either order, in a namespace-using program.
#include <barrow/stg.h>
#include <barrow/inline.h>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

int main() {
  std::vector<int> v{3, 1, 2};
  std::sort(v.begin(), v.end());
  std::allocator<int> a;
  int *p = a.allocate(4);
  a.deallocate(p, 4);
  return barrow_abi_version(nullptr) == BARROW_ABI_MAJOR && v[0] == 1 ? 0 : 1;
}
