#include <gtest/gtest.h>

#include "curate/sources/sources.h"
#include "support/test_folder.h"

namespace cuset::curate {
namespace {

class Gathered : public RowSink {
 public:
  void take(Row row) override { rows.push_back(std::move(row)); }
  void refuse(const std::string&, const std::string& place, const Rejection& rejection) override {
    refused.push_back(place + ": " + rejection.reason);
  }
  std::vector<Row> rows;
  std::vector<std::string> refused;
};

TEST(FolderSource, CutsKernelsOutOfEveryFile) {
  const support::TestFolder folder;
  folder.write("LICENSE", "Permission is hereby granted, free of charge, to any person obtaining a copy");
  folder.write("b/two.cu",
               "\n__global__ void f(int* x) { *x = 1; }\n__global__ void g(int* x) { *x = 2; }\n");
  folder.write(
      "a.cuh",
      "// SPDX-License-Identifier: BSD-3-Clause\n\n// Sets three.\n__global__ void h(int* x) { *x = 3; }\n");
  folder.write("host.cu", "int main() {}\n");
  folder.write(".git/hidden.cu", "__global__ void never(int* x) { *x = 1; }\n");
  folder.write("notes.txt", "__global__");
  PlannedSource source;
  source.name = "code";
  source.folder = folder.path();
  Gathered sink;
  read_folder(source, sink);
  ASSERT_EQ(sink.rows.size(), 3u);
  EXPECT_EQ(sink.rows[0].place, (folder.path() / "a.cuh").string() + ":4");
  EXPECT_EQ(sink.rows[0].license, "BSD-3-Clause");
  EXPECT_EQ(sink.rows[1].license, "MIT");
  EXPECT_EQ(sink.rows[1].id, (folder.path() / "b/two.cu").string() + ":2#f");
  EXPECT_TRUE(sink.rows[1].is_document());
  EXPECT_EQ(sink.rows[2].program(), "__global__ void g(int* x) { *x = 2; }\n");
  EXPECT_EQ(sink.refused, (std::vector<std::string>{(folder.path() / "host.cu").string() + ": no_kernel"}));

  source.prompt = "Write {signature}: {comment}";
  Gathered prompted;
  read_folder(source, prompted);
  EXPECT_EQ(prompted.rows[0].prompt(), "Write h(int* x): Sets three.");
  EXPECT_EQ(prompted.rows[0].program(), "// Sets three.\n__global__ void h(int* x) { *x = 3; }\n");
}

}  // namespace
}  // namespace cuset::curate
