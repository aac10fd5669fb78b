// Confidences as files hold them: five digits are more than a picture shows, and files stay small.
#pragma once

#include <cmath>

namespace cuset {

inline double rounded(double confidence) { return std::round(confidence * 1e5) / 1e5; }

}  // namespace cuset
