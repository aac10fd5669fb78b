"""Weights with other values than a module begins with. Norms begin with weights of 1 and biases of 0, so an answer that ignores
both would pass; the judge gives the reference other numbers in their place, and the answer the same ones.

A constant is a parameter or floating-point buffer of the reference whose elements are all one number. An answer may hold it
under another name, in another shape, in one tensor with others, or in copies that it makes in its constructor. So:
1. While the model is constructed, a parameter that is made of one number, or set to one by torch.nn.init, gets the new values of the
   reference's first constant of that number and size that is not given away yet. Copies that the constructor makes have them then.
2. Afterwards tensors that have a constant's name and size get its values.
3. Constants that are left go to the parameters, buffers and other tensors of the model that are made of such numbers.
A constant that finds no place is one that the model does not hold.
"""
import contextlib
import functools
import math

import torch

NO_GRAD = torch.no_grad
MOST_RUNS = 64
CLOSE = 1e-2  # numbers that half types round


def constant_of(tensor):
    """The number that all elements are; None where they differ. A single element counts where somebody has written it down."""
    if not tensor.is_floating_point() or tensor.is_meta or tensor.numel() == 0:
        return None
    flat = tensor.detach().reshape(-1)
    value = float(flat[0])
    if not math.isfinite(value) or not bool((flat == flat[0]).all()):
        return None
    return value if flat.numel() > 1 or value * 8 == round(value * 8) else None


def named_tensors(model):
    if not isinstance(model, torch.nn.Module):
        return {}
    return dict(list(torch.nn.Module.named_parameters(model)) + list(torch.nn.Module.named_buffers(model)))


def plain_tensors(model):
    """Those that a module holds without saying so."""
    found = []
    for module in torch.nn.Module.modules(model) if isinstance(model, torch.nn.Module) else []:
        for value in vars(module).values():
            items = value if isinstance(value, (list, tuple)) else [value]
            found += [item for item in items if type(item) is torch.Tensor and item.is_floating_point()]
    return found


def constants_of(model):
    constants = []
    for name, tensor in named_tensors(model).items():
        value, is_buffer = constant_of(tensor), not isinstance(tensor, torch.nn.Parameter)
        if value is not None:
            constants.append({"name": name, "count": tensor.numel(), "value": value, "is_buffer": is_buffer})
    return constants


def new_values(constant, seed):
    """Around 0 by 0.1, around other numbers by a quarter of them: a variance stays positive, a scale does not vanish."""
    drawn = 2 * torch.rand(constant["count"], generator=torch.Generator().manual_seed(seed)) - 1
    return drawn / 10 if constant["value"] == 0 else constant["value"] * (1 + drawn / 4)


class ChangedWeights:
    def __init__(self, constants, seed):
        self.constants = constants
        self.values = [new_values(constant, seed + index) for index, constant in enumerate(constants)]
        self.given = set()  # indices
        self.watched = []  # tensors, kept so that no other has their identity
        self.places = {}  # from identities to indices

    def free(self, value, is_buffer=False):
        """The indices of what is left of one number, buffers first or last."""
        left = [index for index in range(len(self.constants)) if index not in self.given]
        left = [index for index in left if math.isclose(self.constants[index]["value"], value, rel_tol=CLOSE)]
        return sorted(left, key=lambda index: self.constants[index]["is_buffer"] != is_buffer)

    def note(self, tensor):
        """The tensor was made or set anew."""
        if all(constant["count"] != tensor.numel() for constant in self.constants):
            return
        self.release(tensor)
        value = constant_of(tensor)
        fitting = self.free(value) if value is not None else []
        fitting = [index for index in fitting if self.constants[index]["count"] == tensor.numel()]
        if fitting:
            self.give(fitting[0], tensor)
            self.watched.append(tensor)
            self.places[id(tensor)] = fitting[0]

    def release(self, tensor):
        """What it was given goes to another."""
        self.given.discard(self.places.pop(id(tensor), None))

    def give(self, index, tensor):
        self.given.add(index)
        with NO_GRAD():
            tensor.detach().copy_(self.values[index].view(tensor.shape))

    @contextlib.contextmanager
    def watch(self):
        """While a model is constructed."""
        parameter, init = torch.nn.Parameter, torch.nn.init
        patches = [(parameter, "__new__", staticmethod(noting(parameter.__new__, self.note)))]
        patches += [(init, name, noting(getattr(init, name), self.note)) for name in ("ones_", "zeros_", "constant_")]
        # What is not set yet must not look like a constant by chance.
        patches += [(torch, name, noting(getattr(torch, name), unset)) for name in ("empty", "empty_like")]
        plain = [(owner, name, getattr(owner, name)) for owner, name, _ in patches]
        try:
            for owner, name, patch in patches:
                setattr(owner, name, patch)
            yield
        finally:
            for owner, name, function in plain:
                setattr(owner, name, staticmethod(function) if owner is parameter else function)

    def place(self, model):
        """In a model that is complete. Returns the names of constants that it does not hold."""
        named = named_tensors(model)
        sizes = {name: tensor.numel() for name, tensor in named.items() if tensor.is_floating_point()}
        matched = [i for i, constant in enumerate(self.constants) if sizes.get(constant["name"]) == constant["count"]]
        for index in matched:
            self.release(named[self.constants[index]["name"]])
        for index in matched:
            self.give(index, named.pop(self.constants[index]["name"]))
        for tensor in list(named.values()) + plain_tensors(model):
            if len(self.given) < len(self.constants) and tensor.is_floating_point() and tensor.numel() > 0:
                is_parameter = isinstance(tensor, torch.nn.Parameter)
                self.fill(tensor, not is_parameter and any(tensor is other for other in named.values()))
        return [constant["name"] for index, constant in enumerate(self.constants) if index not in self.given]

    def fill(self, tensor, is_buffer):
        """Each run of one number that is as long as constants which are left, in their order."""
        flat = tensor.detach().reshape(-1).cpu()
        numbers, lengths = torch.unique_consecutive(flat, return_counts=True)
        if numbers.numel() > MOST_RUNS:
            return
        runs, start = [], 0
        for number, length in zip(numbers.tolist(), lengths.tolist()):
            taken = self.fitting(length, self.free(number, is_buffer))
            runs.append(torch.cat([self.values[i] for i in taken]) if taken else flat[start : start + length])
            self.given.update(taken)
            start += length
        with NO_GRAD():
            tensor.detach().copy_(torch.cat([run.to(flat.dtype) for run in runs]).view(tensor.shape))

    def fitting(self, length, free):
        taken, total = [], 0
        for index in free:
            if total + self.constants[index]["count"] <= length:
                taken.append(index)
                total += self.constants[index]["count"]
        return taken if total == length else []


def noting(function, note):
    @functools.wraps(function)
    def call(*arguments, **options):
        result = function(*arguments, **options)
        note(result)
        return result

    return call


def unset(tensor):
    if tensor.is_floating_point() and not tensor.is_meta:
        with NO_GRAD():
            tensor.detach().fill_(math.nan)
