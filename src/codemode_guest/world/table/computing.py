"""The decisions for the modules that compute: numbers, iteration, ordering, binary values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemode_guest.world.table import COMMAND, IMPORTED, INTERNAL, ModuleTable

COMPUTING: Final[Mapping[str, ModuleTable]] = {
    "math": ModuleTable(
        offered=(
            "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist "
            "e erf erfc exp exp2 expm1 fabs factorial floor fma>=3.13 fmod frexp fsum gamma gcd "
            "hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 "
            "modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt sumprod>=3.12 "
            "tan tanh tau trunc ulp"
        ),
    ),
    "cmath": ModuleTable(
        offered=(
            "acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan "
            "log log10 nan nanj phase pi polar rect sin sinh sqrt tan tanh tau"
        ),
    ),
    "statistics": ModuleTable(
        offered=(
            "LinearRegression NormalDist StatisticsError correlation covariance fmean "
            "geometric_mean harmonic_mean kde>=3.13 kde_random>=3.13 linear_regression mean median "
            "median_grouped median_high median_low mode multimode pstdev pvariance quantiles stdev "
            "variance"
        ),
        left_out={
            "Counter Decimal Fraction acos asin atan bisect_left bisect_right cos cosh count "
            "defaultdict erf exp fabs fsum groupby hypot isfinite isinf itemgetter log math mul "
            "namedtuple numbers pi random reduce repeat sin sqrt sumprod sys tan tau": IMPORTED,
        },
    ),
    "random": ModuleTable(
        offered=(
            "Random SystemRandom betavariate binomialvariate>=3.12 choice choices expovariate "
            "gammavariate gauss getrandbits getstate lognormvariate normalvariate paretovariate "
            "randbytes randint random randrange sample seed setstate shuffle triangular uniform "
            "vonmisesvariate weibullvariate"
        ),
        left_out={
            "BPF LOG4 NV_MAGICCONST RECIP_BPF SG_MAGICCONST TWOPI": INTERNAL,
            "main": COMMAND,
        },
    ),
    "decimal": ModuleTable(
        offered=(
            "BasicContext Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple "
            "DefaultContext DivisionByZero DivisionImpossible DivisionUndefined ExtendedContext "
            "FloatOperation HAVE_CONTEXTVAR HAVE_THREADS Inexact InvalidContext InvalidOperation "
            "MAX_EMAX MAX_PREC MIN_EMIN MIN_ETINY Overflow ROUND_05UP ROUND_CEILING ROUND_DOWN "
            "ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded Subnormal "
            "Underflow getcontext localcontext setcontext"
        ),
    ),
    "fractions": ModuleTable(
        offered="Fraction",
        left_out={"Decimal functools math numbers operator re sys": IMPORTED},
    ),
    "numbers": ModuleTable(
        offered="Complex Integral Number Rational Real",
        left_out={"ABCMeta abstractmethod": IMPORTED},
    ),
    "itertools": ModuleTable(
        offered=(
            "accumulate batched>=3.12 chain combinations combinations_with_replacement compress "
            "count cycle dropwhile filterfalse groupby islice pairwise permutations product repeat "
            "starmap takewhile tee zip_longest"
        ),
    ),
    "functools": ModuleTable(
        offered=(
            "WRAPPER_ASSIGNMENTS WRAPPER_UPDATES cache cached_property cmp_to_key lru_cache "
            "partial partialmethod reduce singledispatch singledispatchmethod total_ordering"
        ),
        replaced={
            "update_wrapper wraps": "copies the attributes that it copies by default, and no other"
        },
        left_out={
            "GenericAlias RLock namedtuple": IMPORTED,
            "get_cache_token recursive_repr": INTERNAL,
        },
    ),
    "operator": ModuleTable(
        offered=(
            "abs add and_ call concat contains countOf delitem eq floordiv ge getitem gt iadd iand "
            "iconcat ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift "
            "is_ is_not isub itemgetter itruediv ixor le length_hint lshift lt matmul mod mul ne "
            "neg not_ or_ pos pow rshift setitem sub truediv truth xor"
        ),
        replaced={"attrgetter methodcaller": "takes the names that `getattr` takes"},
    ),
    "heapq": ModuleTable(
        offered="heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    ),
    "bisect": ModuleTable(
        offered="bisect bisect_left bisect_right insort insort_left insort_right",
    ),
    "array": ModuleTable(offered="ArrayType array typecodes"),
    "struct": ModuleTable(
        offered="Struct calcsize error iter_unpack pack pack_into unpack unpack_from",
    ),
    "graphlib": ModuleTable(
        offered="CycleError TopologicalSorter",
        left_out={"GenericAlias": IMPORTED},
    ),
}
