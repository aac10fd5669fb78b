// Stands in for PyTorch's own <torch/extension.h>: tensors and Python bindings without the C++ frontend (modules,
// optimizers), which is half of what a compiler would have to read.
#pragma once

#include <torch/types.h>

#include <Python.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>
