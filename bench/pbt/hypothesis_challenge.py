"""The shrinking challenge with Hypothesis: for each property how often the smallest failing test
case is reached, and how often the test function runs after the first failure.

Usage: python hypothesis_challenge.py SEEDS [NAME…]     one line of JSON for each property and start

Natural starts are what Hypothesis finds by itself; planted ones are large, and made as those of
crates/ablate-check/examples/challenge/planted.rs are. What is counted are executions of the test
function, also those that end invalid or overrun; no database, no explain phase, one bug.
"""

import json
import statistics
import sys
import time
from random import Random

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.control import BuildContext
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.engine import ConjectureRunner, RunIsComplete
from hypothesis.internal.escalation import InterestingOrigin

WIDE = 2**31
# All failures are the same one.
ORIGIN = InterestingOrigin(AssertionError, __file__, 0, (), ())


def i16(x):
    return (x + 2**15) % 2**16 - 2**15


def wrapping_sum(xs):
    return i16(sum(xs))


def small_lists(size):
    lists = st.lists(st.integers(-(2**15), 2**15 - 1), max_size=size)
    return lists.filter(lambda xs: wrapping_sum(xs) < 256)


def bound5(value):
    return i16(sum(wrapping_sum(xs) for xs in value)) < 5 * 256


def distinct(xs):
    return len(set(xs)) < 3


def union(lists):
    return len({x for xs in lists for x in xs}) < 5


def expressions():
    pair = lambda sign, inner: st.tuples(st.just(sign), inner, inner)
    return st.recursive(st.integers(), lambda inner: pair("+", inner) | pair("/", inner))


def has_literal_zero(e):
    if isinstance(e, int):
        return False
    return (e[0] == "/" and e[2] == 0 and isinstance(e[2], int)) or any(map(has_literal_zero, e[1:]))


def value_of(e):
    if isinstance(e, int):
        return e
    a, b = value_of(e[1]), value_of(e[2])
    return a + b if e[0] == "+" else a // b


def calculator(e):
    if has_literal_zero(e):
        return None
    try:
        value_of(e)
        return True
    except ZeroDivisionError:
        return False


def difference(accepts):
    return lambda pair: pair[0] < 10 or not accepts(abs(pair[0] - pair[1]))


def coupling(xs):
    if not all(x < len(xs) for x in xs):
        return None
    return not any(i != j and xs[j] == i for i, j in enumerate(xs))


def deletion(value):
    xs, i = list(value[0]), value[1]
    if i >= len(xs):
        return None
    x = xs[i]
    xs.remove(x)
    return x not in xs


def replacement(value):
    product = value[0]
    for factor in value[1]:
        product *= factor
    return product < 10**6


def listed(xs):
    return [part for x in xs for part in (True, x)] + [False]


def wide(random):
    return random.randint(-WIDE + 1, WIDE - 1)


def plant_list(random):
    return listed([wide(random) for _ in range(50)])


def plant_deletion(random):
    xs = [wide(random) for _ in range(50)]
    place, other = random.randint(0, 10), random.randint(11, 49)
    xs[other] = xs[place]
    return listed(xs) + [place]


def plant_union(random):
    lists = [listed([wide(random) for _ in range(10)]) for _ in range(10)]
    return [part for xs in lists for part in [True, *xs]] + [False]


def plant_nested(random):
    return [part for _ in range(10) for part in [True] * 11 + [False]] + [False]


def plant_lengthlist(random):
    great = random.randrange(100)
    draw = lambda at: random.randint(900, 1000) if at == great else random.randint(0, 899)
    return [100] + [draw(at) for at in range(100)]


def plant_difference(distances):
    def plant(random):
        x = random.randint(2**20, WIDE - 8)
        return [x, x - random.choice(distances)]

    return plant


def plant_coupling(random):
    xs = [random.randint(0, 10) for _ in range(11)]
    a = random.randint(0, 10)
    b = (a + random.randint(1, 10)) % 11
    xs[a], xs[b] = b, a
    return listed(xs)


def plant_bound5(random):
    while True:
        lists = []
        while len(lists) < 5:
            xs = [random.randint(-(2**15), 2**15 - 1) for _ in range(10)]
            if wrapping_sum(xs) < 256:
                lists.append(xs)
        if not bound5(lists):
            return [part for xs in lists for part in listed(xs)]


def plant_replacement(random):
    return [10**6] + listed([random.randint(2, 10) for _ in range(20)])


INTS = st.lists(st.integers())
PAIR = st.tuples(st.integers(0, WIDE - 1), st.integers(0, WIDE - 1))
MINIMA = [([], [], [], [-1], [-32768])]
# The same lists drawn with `lists(integers(0, …))` of a length that is drawn first.
LENGTHLIST = st.integers(1, 100).flatmap(
    lambda n: st.lists(st.integers(0, 1000), min_size=n, max_size=n)
)

# name: what is drawn, whether the property holds (None: does not apply), minima, planted start
CHALLENGES = {
    "bound5": (st.tuples(*[small_lists(10)] * 5), bound5, MINIMA, plant_bound5),
    "bound5_max1": (st.tuples(*[small_lists(1)] * 5), bound5, MINIMA, None),
    "large_union_list": (st.lists(INTS), union, [[[0, 1, -1, 2, -2]]], plant_union),
    "reverse": (INTS, lambda xs: xs == xs[::-1], [[0, 1]], plant_list),
    "calculator": (expressions(), calculator, [("/", 0, ("+", 0, 0))], None),
    "lengthlist": (LENGTHLIST, lambda xs: max(xs) < 900, [[900]], plant_lengthlist),
    "difference_zero": (PAIR, difference(lambda d: d == 0), [(10, 10)], plant_difference([0])),
    "difference_small": (
        PAIR, difference(lambda d: 1 <= d <= 4), [(10, 6)], plant_difference([1, 2, 3, 4])),
    "difference_one": (PAIR, difference(lambda d: d == 1), [(10, 9)], plant_difference([1])),
    "coupling": (st.lists(st.integers(0, 10)), coupling, [[1, 0]], plant_coupling),
    "deletion": (st.tuples(INTS, st.integers(0, 10)), deletion, [([0, 0], 0)], plant_deletion),
    "distinct": (INTS, distinct, [[0, 1, -1], [0, 1, 2]], plant_list),
    "nestedlists": (
        st.lists(st.lists(st.just(0))), lambda ls: sum(map(len, ls)) <= 10,
        [[[0] * 11]], plant_nested),
    "replacement": (
        st.tuples(st.integers(0, 10**6), st.lists(st.integers(2, 10))), replacement,
        [(10**6, [])], plant_replacement),
}  # fmt: skip


def drawn(data, strategy):
    with BuildContext(data, wrapped_test=drawn, is_final=False):
        return data.draw(strategy)


def measure(name, seed, is_planted):
    strategy, holds, minima, plant = CHALLENGES[name]
    calls, first = 0, None

    def test(data):
        nonlocal calls, first
        calls += 1
        outcome = holds(drawn(data, strategy))
        if outcome is None:
            data.mark_invalid()
        if not outcome:
            first = first or calls
            data.mark_interesting(ORIGIN)

    config = settings(
        max_examples=100_000, database=None, deadline=None, report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    random = Random(seed)
    runner = ConjectureRunner(test, settings=config, random=random)
    try:
        if is_planted:
            runner.cached_test_function(plant(Random(seed)))
            runner.shrink_interesting_test_cases()
        else:
            runner.run()
    except RunIsComplete:
        pass
    if not runner.interesting_test_cases:
        return None
    (best,) = runner.interesting_test_cases.values()
    value = drawn(ConjectureData.for_choices(best.choices), strategy)
    return calls - first, value in minima


def main():
    seeds, names = int(sys.argv[1]), sys.argv[2:] or list(CHALLENGES)
    for name in filter(CHALLENGES.get, names):
        for start in ["random", "planted"]:
            if start == "planted" and CHALLENGES[name][3] is None:
                continue
            started = time.monotonic()
            found = [measure(name, seed, start == "planted") for seed in range(seeds)]
            ms = (time.monotonic() - started) * 1000 / seeds
            tests = [result[0] for result in found if result]
            row = {
                "library": "Hypothesis", "challenge": name, "start": start, "seeds": seeds,
                "found": len(tests),
                "minimal": sum(1 for result in found if result and result[1]),
                "mean": sum(tests) / max(len(tests), 1), "max": max(tests, default=0),
                "median": statistics.median(tests or [0]), "ms": ms,
            }  # fmt: skip
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
