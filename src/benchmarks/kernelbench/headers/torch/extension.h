// Stands in for PyTorch's own <torch/extension.h>: see types.h beside it. Python bindings without the C++ frontend.
#pragma once

#include <Python.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
