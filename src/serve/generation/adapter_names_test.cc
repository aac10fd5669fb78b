#include "serve/generation/adapter_names.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace cuset::serve {
namespace {

TEST(AdapterNames, TextHasANameOrTakesThatOfTheFolder) {
  EXPECT_EQ(named_adapter_from_text("sft=runs/a=b").name, "sft");
  EXPECT_EQ(named_adapter_from_text("sft=runs/a=b").folder, "runs/a=b");
  EXPECT_EQ(named_adapter_from_text("runs/cuset/").name, "cuset");
  EXPECT_EQ(support::error_of([] { named_adapter_from_text("=runs"); }),
            "--adapter: \"=runs\" has no name or no folder (write NAME=FOLDER)");
}

TEST(AdapterNames, PlaceStaysWhileItIsUsed) {
  AdapterNames names;
  const AdapterNames::Place first = names.free_place();
  EXPECT_TRUE(first.is_new);
  names.assign({"a", "runs/a"}, first.number);
  const std::optional<int64_t> held = names.hold("a");
  ASSERT_EQ(held, 0);
  EXPECT_TRUE(names.remove("a"));
  EXPECT_FALSE(names.contains("a"));
  EXPECT_TRUE(names.take_unused().empty()) << "somebody uses it";
  EXPECT_EQ(names.taken(), 1U);
  names.release(*held);
  EXPECT_EQ(names.taken(), 0U);
  EXPECT_EQ(names.take_unused(), std::vector<int64_t>{0});
  EXPECT_TRUE(names.take_unused().empty()) << "told once";
  const AdapterNames::Place again = names.free_place();
  EXPECT_EQ(again.number, 0);
  EXPECT_FALSE(again.is_new);
}

TEST(AdapterNames, NameMovesToTheNewPlace) {
  AdapterNames names;
  names.assign({"a", "old"}, names.free_place().number);
  names.assign({"a", "new"}, names.free_place().number);
  EXPECT_EQ(names.hold("a"), 1);
  EXPECT_EQ(names.take_unused(), std::vector<int64_t>{0});
  ASSERT_EQ(names.list().size(), 1U);
  EXPECT_EQ(names.list()[0].folder, "new");
  EXPECT_FALSE(names.remove("b"));
  EXPECT_EQ(names.hold("b"), std::nullopt);
}

}  // namespace
}  // namespace cuset::serve
