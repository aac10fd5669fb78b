"""Random numbers of a task's script: fresh ones for each trial, spread as the trial's variation says.

Seeds that the script sets are ignored. Each call of numpy.random, torch or random draws from a stream of its own, numbered by
the trial's seed and the call, so that its numbers do not depend on how many others drew. All varied draws come down to
three: u in (0, 1), standard normal z, and whole numbers below n.

                   u                        z                                       below n
  plain            u                        z                                       even
  scaled           s u, 1/8 < s <= 1        s z, 1/8 <= s < 2                       the lower part of the range
  shifted          s u + (1 - s)            z + m, 1/2 <= |m| < 1                   the upper part
  heavy_tailed     u^4                      z with factors 1, 3, 8, |z| <= 12       u^4 of the range
  zeros_and_signs  a quarter below 2^-10    a quarter 0                             a quarter 0 (or the lowest)
  peak             one level everywhere but in few places                           even

The level of z is 0, that of u 2^-60 (zero) or 1/2 (middle). Where `places` has 1, the first number of a draw is far from the
level, where it has 2 the last, where it has 4 one within, as far in every draw; draws of fewer than 8 numbers are plain.

The factors of the heavy-tailed z have odds 240 : 15 : 1 and a common divisor that keeps the variance 1. A uniform draw is
never 0 itself: scripts feed it to logarithms and divisions. Whole numbers of ranges up to 16, permutations, shuffles,
choices and all other distributions do not vary.
"""
import random
import sys

import numpy as np

GENERATOR, RANDOM_STATE, RANDOM = np.random.Generator, np.random.RandomState, random.Random
GLOBAL_STATE = np.random.mtrand._rand
BELOW_ONE = 1 - 2.0**-24
LEAST = 2.0**-24  # of varied uniform draws, whose reciprocals and logarithms stay moderate
FARTHEST = 12
HEAVY_DIVISOR = 1.30946082421  # sqrt((240 * 1 + 15 * 9 + 1 * 64) / 256)
SMALL_RANGE = 16
LEAST_WITH_PEAKS = 8
LEVELS_OF_UNIFORM = {"zero": 2.0**-60, "middle": 0.5}
FIRST, LAST, INNER = 1, 2, 4  # of places


class Draws:
    def __init__(self, seed, variation, level="zero", places=0):
        self.seed, self.variation, self.calls = seed, variation, 0
        self.level, self.places = level, places
        self.inner = GENERATOR(np.random.PCG64([seed, 0])).random()  # calls count from 1

    def next_seed(self):
        self.calls += 1
        return [self.seed, self.calls]

    def next_words(self):
        """A seed for numpy's older generator, which takes words of 32 bits."""
        return np.random.SeedSequence(self.next_seed()).generate_state(4)

    def next_generator(self):
        return GENERATOR(np.random.PCG64(self.next_seed()))

    def spread(self, generator, u, variation):
        s = 2.0 ** (-3 * generator.random())
        if variation == "scaled":
            u *= s
        elif variation == "shifted":
            u *= s
            u += 1 - s
            np.minimum(u, BELOW_ONE, out=u)
        elif variation == "heavy_tailed":
            u *= u
            u *= u
            np.maximum(u, LEAST, out=u)
        elif variation == "zeros_and_signs":
            np.copyto(u, np.maximum(u * 2.0**-10, LEAST), where=self.quarter(generator, u.shape), casting="same_kind")
        return u

    def has_peaks(self, numbers):
        return self.variation == "peak" and np.size(numbers) >= LEAST_WITH_PEAKS

    def raise_peaks(self, numbers, level, peaks):
        """Each of three peaks is the same whether the others are wanted or not."""
        flat = numbers.reshape(-1)
        flat[...] = level
        places = {FIRST: 0, LAST: flat.size - 1, INNER: 1 + int(self.inner * (flat.size - 2))}
        for (place, index), peak in zip(places.items(), peaks):
            if self.places & place:
                flat[index] = peak
        return numbers

    @staticmethod
    def quarter(generator, shape):
        return generator.integers(0, 4, shape, dtype=np.uint8) == 0

    def uniform(self, shape, dtype=np.float64):
        """An array of u, of float32 or float64."""
        generator = self.next_generator()
        u = generator.random(shape, dtype=dtype)
        if dtype == np.float32:
            np.maximum(u, 2.0**-25, out=u)
        else:
            np.clip(u, 2.0**-54, BELOW_ONE, out=u)
        if self.has_peaks(u):
            level = LEVELS_OF_UNIFORM[self.level]
            away = 0.75 + 0.25 * generator.random(3)  # in the outer quarter that is farther from the level
            up = (generator.random(3) < 0.5) | (self.level == "zero")
            return self.raise_peaks(u, level, np.clip(np.where(up, away, 1 - away), LEAST, BELOW_ONE))
        return self.spread(generator, u, self.variation)

    def normal(self, shape, dtype=np.float64):
        generator = self.next_generator()
        scale = 2.0 ** (4 * generator.random() - 3)
        center = (0.5 + 0.5 * generator.random()) * (1 if generator.random() < 0.5 else -1)
        z = generator.standard_normal(shape, dtype=dtype)
        if self.has_peaks(z):
            peaks = (2 + 2 * generator.random(3)) * np.where(generator.random(3) < 0.5, 1, -1)
            return self.raise_peaks(z, 0, peaks)
        if self.variation == "scaled":
            z *= scale
        elif self.variation == "shifted":
            z += center
        elif self.variation == "heavy_tailed":
            odds = generator.integers(0, 256, shape, dtype=np.uint8)
            z *= np.where(odds == 0, 8, np.where(odds < 16, 3, 1)) / HEAVY_DIVISOR
            np.clip(z, -FARTHEST, FARTHEST, out=z)
        elif self.variation == "zeros_and_signs":
            np.copyto(z, 0, where=self.quarter(generator, shape))
        return z

    def integers(self, low, high, shape):
        """Whole numbers from low to high - 1, as int64 (uint64 beyond it)."""
        generator = self.next_generator()
        width = np.subtract(np.asarray(high, np.float64), low)
        if not np.all(width >= 1):
            raise ValueError("low >= high")
        if np.max(np.abs(high)) > 2**53 or np.max(np.abs(low)) > 2**53:
            return generator.integers(low, high, shape, dtype=np.uint64 if np.max(high) > 2**63 else np.int64)
        variation = self.variation if np.max(width) > SMALL_RANGE else "plain"
        u = generator.random(shape)
        if variation != "zeros_and_signs":
            u = self.spread(generator, u, variation)
        whole = (low + np.minimum(np.floor(u * width), width - 1)).astype(np.int64)
        if variation == "zeros_and_signs":
            lowest = np.where(np.less_equal(low, 0) & np.greater(high, 0), 0, low)
            np.copyto(whole, lowest, where=self.quarter(generator, whole.shape), casting="unsafe")
        return whole


class VariedNumpy:
    """The methods of numpy's generators that vary; the others come from the class beside it, with our seed."""

    def seed(self, *_, **__):
        pass

    def random(self, size=None, dtype=np.float64, out=None):
        return filled(out, DRAWS.uniform(shape_of(size), np.dtype(dtype)), size)

    def random_sample(self, size=None):
        return self.random(size)

    ranf = sample = random_sample

    def rand(self, *shape):
        return self.random(shape or None)

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        return filled(out, DRAWS.normal(shape_of(size), np.dtype(dtype)), size)

    def randn(self, *shape):
        return self.standard_normal(shape or None)

    def uniform(self, low=0.0, high=1.0, size=None):
        shape = np.broadcast(low, high).shape if size is None else shape_of(size)
        return low + np.subtract(high, low) * plain(DRAWS.uniform(shape), size)

    def normal(self, loc=0.0, scale=1.0, size=None):
        shape = np.broadcast(loc, scale).shape if size is None else shape_of(size)
        return loc + np.multiply(scale, plain(DRAWS.normal(shape), size))

    def standard_exponential(self, size=None, *_, **__):
        return plain(-np.log1p(-DRAWS.uniform(shape_of(size))), size)

    def exponential(self, scale=1.0, size=None):
        shape = np.shape(scale) if size is None else shape_of(size)
        return plain(-np.log1p(-DRAWS.uniform(shape)) * scale, size)

    def randint(self, low, high=None, size=None, dtype=int):
        return self.integers(low, high, size, dtype)

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        low, high = (0, low) if high is None else (low, high)
        high = np.add(high, 1) if endpoint else high
        shape = np.broadcast(low, high).shape if size is None else shape_of(size)
        whole = DRAWS.integers(low, high, shape).astype(dtype)
        return int(whole) if size is None and whole.shape == () else whole


class VariedGenerator(VariedNumpy, GENERATOR):
    def __init__(self, *_):
        super().__init__(np.random.PCG64(DRAWS.next_seed()))


class VariedRandomState(VariedNumpy, RANDOM_STATE):
    def __init__(self, *_):
        super().__init__(DRAWS.next_words())


class VariedRandom(RANDOM):
    """Python's own generator."""

    getrandbits = RANDOM.getrandbits  # so that choices and shuffles take it, not random()

    def seed(self, *_, **__):
        super().seed(repr(DRAWS.next_seed()))

    def random(self):
        return float(DRAWS.uniform(()))

    def gauss(self, mu=0.0, sigma=1.0):
        return mu + sigma * float(DRAWS.normal(()))

    normalvariate = gauss

    def randrange(self, start, stop=None, step=1):
        numbers = range(start) if stop is None else range(start, stop, step)
        return numbers[int(DRAWS.integers(0, len(numbers), ()))]

    def randint(self, a, b):
        return self.randrange(a, b + 1)


DRAWS = Draws(0, "plain")


def shape_of(size):
    return () if size is None else (int(size),) if np.ndim(size) == 0 else tuple(size)


def plain(array, size):
    """A draw without a size is a number."""
    return float(array) if size is None and array.shape == () else array


def filled(out, array, size):
    if out is None:
        return plain(array, size)
    out[...] = array
    return out


def use_in_module(module, instance, known):
    """The module's functions are methods of `instance`."""
    for name in dir(module):
        if not name.startswith("_") and hasattr(known, name) and callable(getattr(known, name)):
            setattr(module, name, getattr(instance, name))


def begin_trial(trial):
    """All draws from now on are those of this trial."""
    global DRAWS
    DRAWS = Draws(int(trial["seed"]), trial["variation"], trial["level"], int(trial["places"]))
    GLOBAL_STATE.seed(DRAWS.next_words())  # what libraries take by themselves
    np.random.Generator, np.random.RandomState = VariedGenerator, VariedRandomState
    np.random.default_rng = VariedGenerator
    use_in_module(np.random, VariedRandomState(), GLOBAL_STATE)
    random.Random = VariedRandom
    use_in_module(random, VariedRandom(), random._inst)
    if "torch" in sys.modules:
        import script_torch

        script_torch.begin_trial(DRAWS)
