// The analysis of a model's confidence on CUDA code: from tokens with their confidence to metrics and files.
// Free of LibTorch. docs/analyze.md has the definitions and the files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "study/analyzed_sample.h"
#include "study/heat_map.h"
#include "study/low_windows.h"
#include "study/token_metrics.h"

namespace cuset::study {

struct AnalysisOptions {
  Sensitivity sensitivity = Sensitivity::kStructures;  // how the tokens were labeled, for the record
  WindowOptions windows;
  size_t lowest = 10;  // windows to show
};

// One of the lowest windows with its code.
struct ShownWindow {
  std::string sample;      // its id
  size_t begin_token = 0;  // AnalyzedToken::index of the first token, and one past that of the last
  size_t end_token = 0;
  double confidence = 0;
  size_t line = 0;          // of the sample's text, where the window begins, counted from 1
  bool begins_line = true;  // nothing stands before it on that line
  std::string text;
  KindSet kinds = kNoKinds;
  std::vector<std::pair<std::string, float>> tokens;  // the text in tokens, each with its p
};

struct Analysis {
  std::string model;
  std::string adapter;  // empty: none
  std::vector<std::string> data;
  size_t samples = 0;
  AnalysisOptions options;
  TokenMetrics tokens;
  WindowMetrics windows;
  std::vector<ShownWindow> lowest;
  std::vector<HeatMap> kernels;
};

// Everything but model, data and kernels. Throws Error for no sample, a confidence outside [0, 1], or where
// all tokens are sensitive or none is.
Analysis analyze(std::span<const AnalyzedSample> samples, const AnalysisOptions& options);

// "cuset-analysis/1".
base::Json json_of(const Analysis& analysis);

// Writes analysis.json, tokens.csv and windows.csv into `folder`, which is there; each in one step.
void write_analysis(const std::filesystem::path& folder, const Analysis& analysis,
                    std::span<const AnalyzedSample> samples);

}  // namespace cuset::study
