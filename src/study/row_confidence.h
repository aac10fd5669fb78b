// What a model thinks of training rows: how much of each response it finds unlikely. The stage `confidence` of
// `cuset curate` refuses rows by it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/sample.h"
#include "generate/scoring_model.h"

namespace cuset::study {

// Changes with the weights of model and adapter and where they compute. Throws Error for what cannot be read.
std::string key_of_reader(const generate::ScoringModelOptions& model);

// Of every sample, in their order, the share of its response's tokens whose p is at most `tau`; 0 where the model reads
// none of the response, because the prompt fills its context. Nothing where an interrupt came; `file` keeps what is
// known (confidence_run.h), by the samples' places, which differ.
std::optional<std::vector<double>> unlikely_shares(const generate::ScoringModelOptions& model, double tau,
                                                   const std::vector<data::Sample>& samples,
                                                   const std::filesystem::path& file);

}  // namespace cuset::study
