"""Reference values for the random streams and statistics of src/base, from numpy, scipy, mpmath and exact integers.

Run in this folder: python3 make_reference.py. It rewrites the *.json files beside it; they state the versions used.
Long samples are stored as {"count", "multiplier", "offset", "modulus", "shift"}: value i is
(i * multiplier + offset) % modulus + shift, an integer, so every language makes the same numbers.
"""
import itertools
import json
import platform
from fractions import Fraction
from math import comb, gcd

import mpmath
import numpy as np
import scipy
import scipy.special
import scipy.stats

mpmath.mp.dps = 60
MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1


def write(name, source, cases):
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                "mpmath": mpmath.__version__}
    with open(name, "w") as file:
        head = {"made_by": "make_reference.py", "versions": versions, "source": source}
        file.write(json.dumps(head)[:-1])
        for key, rows in cases.items():
            lines = ",\n  ".join(json.dumps(row) for row in rows)
            file.write(f',\n"{key}": [\n  {lines}]')
        file.write("}\n")


def shortest(x):
    """A double where it can hold x, else the nearest it has (0 below its range)."""
    return float(mpmath.mpf(x))


# ---------------------------------------------------------------- functions of repeatable_math.h

def repeatable_math():
    xs = [5e-324, 1e-310, 2.2250738585072014e-308, 1e-100, 0.1, 0.5, 0.7071067811865475, 0.7071067811865476, 0.9,
          0.9999999999999999, 1.0, 1.0000000000000002, 1.1, 1.4142135623730951, 2.0, 2.718281828459045, 10.0, 12345.678,
          1e100, 1.7976931348623157e308]
    logs = [[x, shortest(mpmath.log(mpmath.mpf(x)))] for x in xs]
    ys = [-745.1, -740.0, -708.4, -700.0, -100.5, -10.0, -1.0, -0.3465735902799727, -0.1, -1e-9, -1e-300, 0.0, 1e-17, 1e-9,
          0.1, 0.34657359027997264, 0.35, 1.0, 10.0, 100.5, 700.0, 709.78]
    exps = [[y, shortest(mpmath.exp(mpmath.mpf(y)))] for y in ys]
    tails = [2.0**-65, 2.0**-60, 1e-17, 1e-12, 1.4e-11, 1e-9, 1e-6, 1e-3, 0.025, 0.07, 0.075, 0.0750001, 0.1, 0.25, 0.4,
             0.49, 0.4999999, 0.5]
    quantiles = [[t, shortest(upper_quantile(t))] for t in tails]
    write("repeatable_math.json", "mpmath, 60 digits", {"log": logs, "exp": exps, "normal_upper_quantile": quantiles})


def upper_quantile(tail):
    tail = mpmath.mpf(tail)
    start = -scipy.special.ndtri(float(tail))
    return mpmath.findroot(lambda z: mpmath.log(mpmath.erfc(z / mpmath.sqrt(2)) / 2) - mpmath.log(tail), start)


# ---------------------------------------------------------------- random.h, written again from its description

def philox4x32(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        even, odd = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(odd >> 32) ^ c[1] ^ k[0], odd & MASK32, (even >> 32) ^ c[3] ^ k[1], even & MASK32]
        k = [(k[0] + 0x9E3779B9) & MASK32, (k[1] + 0xBB67AE85) & MASK32]
    return c


class Stream:
    def __init__(self, key, line=0):
        self.key, self.line, self.position = key, line, 0

    def block(self, number, key):
        return philox4x32([number & MASK32, number >> 32, self.line & MASK32, self.line >> 32], [key & MASK32, key >> 32])

    def child(self, name):
        if isinstance(name, str):
            number = 0xCBF29CE484222325
            for byte in name.encode():
                number = ((number ^ byte) * 0x100000001B3) & MASK64
            purpose = int.from_bytes(b"name", "big")
        else:
            number, purpose = name, int.from_bytes(b"numb", "big")
        w = self.block(number, self.key ^ (purpose << 32))
        return Stream(w[0] | w[1] << 32, w[2] | w[3] << 32)

    def u32(self):
        word = self.block(self.position // 4, self.key)[self.position % 4]
        self.position += 1
        return word

    def u64(self):
        low = self.u32()
        return low | self.u32() << 32

    def uniform(self):
        return float(Fraction(self.u64() >> 11, 1 << 53))

    def normal(self):
        bits = self.u64()
        tail = float(Fraction(2 * (bits >> 1) + 1, 1 << 65))
        return shortest(upper_quantile(tail) * (1 if bits & 1 else -1))

    def below(self, n):
        if n > MASK32:
            spare = 64 - (n - 1).bit_length()
            while True:
                draw = self.u64() >> spare
                if draw < n:
                    return draw
        while True:
            product = self.u32() * n
            if product & MASK32 >= (1 << 32) % n:
                return product >> 32

    def permutation(self, n):
        order = list(range(n))
        for i in range(n, 1, -1):
            other = self.below(i)
            order[i - 1], order[other] = order[other], order[i - 1]
        return order

    def sample(self, k, n):
        moved, out = {}, []
        for i in range(k):
            chosen = i + self.below(n - i)
            out.append(moved.get(chosen, chosen))
            moved[chosen] = moved.get(i, i)
        return out


def random_streams():
    def stream(seed, path):
        result = Stream(seed)
        for name in path:
            result = result.child(name)
        return result

    cases = []
    for seed, path in [(0, [""]), (42, ["train"]), (42, [7]), (MASK64, ["train", "dropout"]),
                       (1234567890123456789, ["data", 3, "shuffle", MASK64])]:
        make = lambda: stream(seed, path)
        s = make()
        case = {"seed": seed, "path": path, "key": s.key, "line": s.line, "u32": [s.u32() for _ in range(9)]}
        s = make()
        case["u64"] = [s.u64() for _ in range(5)]
        s = make()
        case["uniform"] = [s.uniform() for _ in range(5)]
        s = make()
        case["normal"] = [s.normal() for _ in range(20)]
        bounds = [1, 2, 3, 10, 1000, 3 << 30, MASK32, 1 << 32, (1 << 32) + 1, 3 << 62, MASK64]
        s = make()
        case["below"] = [[n, s.below(n)] for n in bounds for _ in range(3)]
        case["permutation_12"] = make().permutation(12)
        case["sample_6_of_10"] = make().sample(6, 10)
        case["sample_4_of_1e15"] = make().sample(4, 10**15)
        cases.append(case)
    write("random.json", "the stream's description in random.h, written again in Python; normals by mpmath", {"streams": cases})


# ---------------------------------------------------------------- Kolmogorov-Smirnov

def expand(sample):
    if isinstance(sample, list):
        return sample
    return [(i * sample["multiplier"] + sample["offset"]) % sample["modulus"] + sample["shift"]
            for i in range(sample["count"])]


def distance_and_ends(a, b):
    """Largest |i n - j m|, and the pooled counts after which a tie group ends."""
    a, b = np.sort(a), np.sort(b)
    values = np.unique(np.concatenate([a, b]))
    i, j = np.searchsorted(a, values, "right"), np.searchsorted(b, values, "right")
    return int(np.max(np.abs(i * len(b) - j * len(a)))), set((i + j).tolist())


def exact_p(m, n, distance, ends):
    """Counts the lattice paths that never touch, in integers of any size."""
    row = {0: 1}
    total = comb(m + n, m)
    for i in range(m + 1):
        if i > 0:
            old, row = row, {}
        for j in range(n + 1):
            if (i, j) == (0, 0):
                continue
            if (i + j) in ends and abs(i * n - j * m) >= distance:
                continue
            paths = (old.get(j, 0) if i > 0 else 0) + row.get(j - 1, 0)
            if paths:
                row[j] = paths
    return Fraction(total - row.get(n, 0), total)


def equal_sizes_p(n, h):
    """Gnedenko and Korolyuk (1951): m = n without ties, D = h / n."""
    total = sum((-1) ** (k - 1) * 2 * comb(2 * n, n - k * h) for k in range(1, n // h + 1))
    return Fraction(total, comb(2 * n, n))


def enumerated_p(a, b):
    """Every allocation of the pooled values, each with scipy's statistic."""
    pooled = list(a) + list(b)
    observed = scipy.stats.ks_2samp(a, b, method="asymp").statistic
    hits = total = 0
    for chosen in itertools.combinations(range(len(pooled)), len(a)):
        rest = [v for i, v in enumerate(pooled) if i not in set(chosen)]
        d = scipy.stats.ks_2samp([pooled[i] for i in chosen], rest, method="asymp").statistic
        hits += int(d >= observed - 1e-12)
        total += 1
    return Fraction(hits, total)


def line(count, multiplier, offset, modulus, shift):
    return {"count": count, "multiplier": multiplier, "offset": offset, "modulus": modulus, "shift": shift}


def even(count, multiplier, modulus, shift):
    """Even numbers, no two equal if count <= modulus; odd() never meets them."""
    assert gcd(multiplier, modulus) == 1 and count <= modulus
    return line(count, 2 * multiplier, 0, 2 * modulus, 2 * shift)


def odd(count, multiplier, modulus, shift):
    return {**even(count, multiplier, modulus, shift), "offset": 1}


def ks_case(name, a, b, p=None, source="integer path count"):
    xs, ys = expand(a), expand(b)
    distance, ends = distance_and_ends(xs, ys)
    if p is None:
        p = exact_p(len(xs), len(ys), distance, ends)
    mp_p = mpmath.mpf(p.numerator) / mpmath.mpf(p.denominator)
    statistic = float(Fraction(distance, len(xs) * len(ys)))
    assert abs(statistic - scipy.stats.ks_2samp(xs, ys, method="asymp").statistic) < 1e-14
    case = {"name": name, "a": a, "b": b, "statistic": statistic, "p": shortest(mp_p), "log_p": shortest(mpmath.log(mp_p)),
            "source": source}
    tied = len(ends) < len(xs) + len(ys)
    if not tied and 1e-10 < mp_p and len(xs) * len(ys) < 10**6:
        by_scipy = scipy.stats.ks_2samp(xs, ys, method="exact").pvalue
        assert abs(by_scipy - case["p"]) < 1e-9 * case["p"], (name, by_scipy, case["p"])
        case["source"] += ", scipy.stats.ks_2samp exact"
    return case


def kolmogorov_smirnov():
    cases = [
        ks_case("one_each", [1.5], [2.5]),
        ks_case("one_each_equal", [1.5], [1.5], Fraction(1), "by hand"),
        ks_case("one_against_many", [0.5], list(range(1, 20))),
        ks_case("hollander_wolfe_5.4", [-0.15, 8.6, 5, 3.71, 4.29, 7.74, 2.48, 3.25, -1.15, 8.38],
                [2.55, 12.07, 0.46, 0.35, 2.69, -0.94, 1.73, 0.73, -0.35, -0.37], Fraction(15, 286), "R's test suite"),
        ks_case("five_and_two", [1, 2, 3, 4, 5], [2.5, 4.5], Fraction(20, 21), "R's test suite"),
        ks_case("schroeer_trenkler_ties", [1, 2, 2, 3, 3], [1, 2, 3, 3, 4, 5, 6], Fraction(8, 33), "R's ks.test manual"),
        ks_case("all_equal", [4.0] * 5, [4.0] * 7, Fraction(1), "by hand"),
        ks_case("disjoint_505", line(505, 1, 0, 505, 0), line(505, 1, 0, 505, 1000)),
        ks_case("disjoint_2000", line(2000, 1, 0, 2000, 0), line(2000, 1, 0, 2000, 9000), equal_sizes_p(2000, 2000),
                "Gnedenko-Korolyuk"),
        ks_case("disjoint_300_900", line(300, 1, 0, 300, 0), line(900, 1, 0, 900, 1000), Fraction(2, comb(1200, 300)),
                "by hand"),
        ks_case("uneven_small", even(37, 7, 101, 0), odd(53, 11, 97, 15)),
        ks_case("uneven_tail", even(300, 1, 1009, 0), odd(450, 3, 1999, 150)),
        ks_case("uneven_1e-300", even(1000, 1, 1009, 0), odd(1500, 1, 1511, 576)),
        ks_case("uneven_subnormal", even(400, 1, 1009, 0), odd(700, 3, 1999, 500)),
        ks_case("uneven_beyond_double", even(1000, 1, 1009, 0), odd(1500, 1, 1511, 700)),
        ks_case("uneven_far_beyond_double", even(1500, 1, 1511, 0), odd(1000, 1, 1009, 1460)),
        ks_case("ties_small", line(41, 3, 0, 7, 0), line(60, 5, 1, 9, 1)),
        ks_case("ties_tail", line(300, 3, 0, 11, 0), line(450, 5, 1, 13, 5)),
        ks_case("ties_beyond_double", line(1000, 3, 0, 19, 0), line(1300, 5, 1, 17, 15)),
        ks_case("ties_far_beyond_double", line(1500, 3, 0, 19, 0), line(1500, 5, 1, 17, 18)),
        ks_case("thousands_close", even(1200, 1361, 7919, 0), odd(1700, 2003, 7907, 200)),
    ]
    for name, a, b in [("ties_enumerated_1", [1, 1, 2, 3, 3], [1, 2, 2, 4, 4, 5]),
                       ("ties_enumerated_2", [0, 0, 0, 1], [0, 1, 1, 1, 1, 2, 2]),
                       ("ties_enumerated_3", [1, 2, 3, 3, 3, 9], [3, 3, 4, 5, 6, 9, 9])]:
        p = enumerated_p(a, b)
        distance, ends = distance_and_ends(a, b)
        assert p == exact_p(len(a), len(b), distance, ends)
        cases.append(ks_case(name, a, b, p, "every allocation with scipy's statistic"))
    for n, shift in [(3000, 60), (3000, 1500), (8000, 700)]:
        a, b = even(n, 1, 10**9, 0), odd(n, 1, 10**9, shift)
        h = distance_and_ends(expand(a), expand(b))[0] // n
        cases.append(ks_case(f"shifted_{n}_{shift}", a, b, equal_sizes_p(n, h), "Gnedenko-Korolyuk"))
    limits = []
    for s in [0.01, 0.039, 0.04, 0.1, 0.2, 0.3, 0.5, 0.8276, 1.0, 1.17, 1.1799999, 1.18, 1.19, 1.3581, 2.0, 5.0, 10.0, 18.5,
              18.58, 19.2, 30.0, 100.0]:
        x = mpmath.mpf(s)
        with mpmath.workdps(200):
            p = 2 * mpmath.nsum(lambda k: (-1) ** (int(k) - 1) * mpmath.exp(-2 * k * k * x * x), [1, 2000]) \
                if s > 0.3 else 1 - mpmath.sqrt(2 * mpmath.pi) / x * mpmath.nsum(
                    lambda k: mpmath.exp(-((2 * k - 1) ** 2) * mpmath.pi**2 / (8 * x * x)), [1, 20])
            log_p = shortest(mpmath.log(p))
        if shortest(p) > 0:
            assert abs(scipy.special.kolmogorov(s) / shortest(p) - 1) < 1e-12, s
        limits.append([s, log_p])
    write("kolmogorov_smirnov.json", "per case; limit: mpmath and scipy.special.kolmogorov", {"cases": cases, "limit": limits})


# ---------------------------------------------------------------- pass@k, intervals, descriptive statistics

def pass_at_k():
    cases = []
    for n, c, k in [(1, 0, 1), (1, 1, 1), (5, 2, 1), (10, 3, 5), (10, 6, 5), (10, 10, 10), (10, 0, 10), (100, 1, 10),
                    (200, 17, 100), (1000, 3, 997), (1000, 3, 998), (10**6, 1, 1), (10**6, 10, 1000), (10**6, 1000, 10),
                    (10**9, 1, 1), (10**9, 2, 2), (10**9, 5, 10**8), (10**9, 5000, 5000), (10**12, 3, 7)]:
        # C(n-c, k) / C(n, k) with the smaller of c and k as the number of factors.
        ratio = Fraction(1)
        few, many = min(c, k), max(c, k)
        for i in range(few):
            ratio *= Fraction(max(n - many - i, 0), n - i)
        if n <= 1000:
            assert ratio == Fraction(comb(n - c, k), comb(n, k))
            assert abs(float(ratio) - scipy.stats.hypergeom.pmf(0, n, c, k)) < 1e-12
        cases.append({"n": n, "c": c, "k": k, "value": float(1 - ratio)})
    write("pass_at_k.json", "exact fractions; scipy.stats.hypergeom for n <= 1000", {"cases": cases})


def intervals():
    wilson = []
    for s, n, level in [(0, 1, 0.95), (1, 1, 0.95), (0, 250, 0.95), (250, 250, 0.95), (1, 250, 0.95), (125, 250, 0.9),
                        (37, 100, 0.99), (3, 10**6, 0.95), (999_999, 10**6, 0.5), (7, 12, 0.001), (5, 10**9, 0.999999)]:
        ci = scipy.stats.binomtest(s, n).proportion_ci(level, method="wilson") if n <= 10**6 else None
        z = upper_quantile((1 - mpmath.mpf(level)) / 2)
        p, w = mpmath.mpf(s) / n, z * z / n
        half = mpmath.sqrt(w * (p * (1 - p) + w / 4)) / (1 + w)
        low, high = (p + w / 2) / (1 + w) - half, (p + w / 2) / (1 + w) + half
        if ci:
            assert abs(ci.low - low) < 1e-12 and abs(ci.high - high) < 1e-12
        wilson.append({"successes": s, "trials": n, "level": level, "low": shortest(low if s else 0), "high": shortest(high)})

    rng = np.random.default_rng(20240607)
    samples = {"skewed": rng.exponential(2.0, 40), "rates": rng.binomial(10, 0.3, 25) / 10, "one": np.array([3.25]),
               "paired": rng.normal(0.1, 1.0, 30)}
    boot = []
    for name, values in samples.items():
        resamples, level = 2000, 0.95
        draws = Stream(11).child(name).child("bootstrap")
        means = [np.mean([values[draws.below(len(values))] for _ in values]) for _ in range(resamples)]
        low, high = np.quantile(means, [(1 - level) / 2, 1 - (1 - level) / 2])
        case = {"name": name, "seed": 11, "values": values.tolist(), "resamples": resamples, "level": level,
                "mean": float(np.mean(values)), "low": float(low), "high": float(high)}
        if len(values) > 1:
            other = scipy.stats.bootstrap((values,), np.mean, n_resamples=20000, confidence_level=level, method="percentile",
                                          rng=np.random.default_rng(1)).confidence_interval
            case["scipy_low"], case["scipy_high"] = float(other.low), float(other.high)
        boot.append(case)
    write("intervals.json", "wilson: mpmath, scipy.stats.binomtest; bootstrap: numpy over the same draws, "
          "scipy.stats.bootstrap over its own", {"wilson": wilson, "bootstrap": boot})


def descriptive():
    rng = np.random.default_rng(7)
    samples = [[2.0], [1.0, 2.0], [3.0, 1.0, 2.0], [1e15, 1.0, -1e15], [0.1] * 10, [1e8 + i / 8 for i in range(9)],
               [-1.5e308, 1.5e308], rng.normal(5, 2, 37).tolist(), rng.integers(0, 5, 50).astype(float).tolist()]
    qs = [0.0, 0.025, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.975, 1.0]
    cases = []
    for values in samples:
        exact = [Fraction(v) for v in values]
        average = sum(exact) / len(exact)
        case = {"values": values, "mean": float(average), "qs": qs}
        if len(values) > 1 and max(map(abs, values)) < 1e100:
            variance = sum((v - average) ** 2 for v in exact) / (len(exact) - 1)
            case["sd"] = shortest(mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator))
            assert abs(case["sd"] - np.std(values, ddof=1)) <= 1e-12 * case["sd"] + 1e-16
        case["quantiles"] = [float(q) for q in exact_quantiles(exact, qs)]
        if max(map(abs, values)) < 1e100:
            assert np.allclose(case["quantiles"], np.quantile(values, qs), rtol=1e-13, atol=0)
        cases.append(case)
    write("statistics.json", "exact fractions; numpy.std, numpy.quantile", {"cases": cases})


def exact_quantiles(values, qs):
    ordered = sorted(values)
    for q in qs:
        place = Fraction(q) * (len(ordered) - 1)
        below = place.numerator // place.denominator
        above = min(below + 1, len(ordered) - 1)
        yield ordered[below] + (place - below) * (ordered[above] - ordered[below])


if __name__ == "__main__":
    repeatable_math()
    random_streams()
    kolmogorov_smirnov()
    pass_at_k()
    intervals()
    descriptive()
