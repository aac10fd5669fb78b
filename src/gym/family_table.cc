#include <algorithm>
#include <tuple>

#include "gym/family.h"
#include "gym/family_table.h"

namespace cuset::gym {

const std::vector<GymFamily>& gym_families() {
  static const std::vector<GymFamily> families = [] {
    std::vector<GymFamily> listed = listed_gym_families();
    std::sort(listed.begin(), listed.end(), [](const GymFamily& a, const GymFamily& b) {
      return std::tie(a.group, a.name) < std::tie(b.group, b.name);
    });
    return listed;
  }();
  return families;
}

}  // namespace cuset::gym
