#include "text/chat_template.h"

#include <gtest/gtest.h>
