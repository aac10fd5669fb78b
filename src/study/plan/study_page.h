// The page of a study: charts with intervals and all tables in one HTML file that needs nothing else.
#pragma once

#include <string>

#include "study/plan/plan.h"
#include "study/plan/results.h"
#include "study/plan/study_tables.h"

namespace cuset::study {

std::string study_page(const StudyPlan& plan, const StudyResults& results, const StudyOrigin& origin);

}  // namespace cuset::study
