"""The decisions for the modules of clocks and calendars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemode_guest.world.table import COMMAND, IMPORTED, INTERNAL, SYSTEM, ModuleTable

_LOCALE: Final = "it changes the process's locale; names are English"
_FIXED: Final = "the zones are loaded from the package tzdata before a program starts"

TIMES: Final[Mapping[str, ModuleTable]] = {
    "time": ModuleTable(
        offered=(
            "CLOCK_BOOTTIME CLOCK_MONOTONIC CLOCK_MONOTONIC_RAW CLOCK_PROCESS_CPUTIME_ID "
            "CLOCK_REALTIME CLOCK_TAI CLOCK_THREAD_CPUTIME_ID altzone asctime clock_getres "
            "ctime daylight get_clock_info gmtime localtime mktime "
            "monotonic monotonic_ns perf_counter perf_counter_ns "
            "sleep strftime strptime struct_time thread_time thread_time_ns time time_ns timezone "
            "tzname"
        ),
        replaced={
            "clock_gettime clock_gettime_ns": "reads no clock of another process",
            "process_time process_time_ns": "reads the clock of the one thread, which is finer",
        },
        left_out={
            "clock_settime clock_settime_ns pthread_getcpuclockid": SYSTEM,
            "tzset": "a program's local time is UTC; use zoneinfo.ZoneInfo",
        },
    ),
    "datetime": ModuleTable(
        offered="MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo",
        left_out={"datetime_CAPI": INTERNAL, "sys": IMPORTED},
    ),
    "calendar": ModuleTable(
        offered=(
            "APRIL>=3.12 AUGUST>=3.12 Calendar DECEMBER>=3.12 Day>=3.12 EPOCH FEBRUARY>=3.12 "
            "FRIDAY HTMLCalendar IllegalMonthError IllegalWeekdayError JANUARY>=3.12 JULY>=3.12 "
            "JUNE>=3.12 MARCH>=3.12 MAY>=3.12 MONDAY Month>=3.12 NOVEMBER>=3.12 OCTOBER>=3.12 "
            "SATURDAY SEPTEMBER>=3.12 SUNDAY THURSDAY TUESDAY TextCalendar WEDNESDAY calendar "
            "day_abbr day_name firstweekday isleap leapdays mdays month month_abbr month_name "
            "monthcalendar monthrange prcal prmonth setfirstweekday timegm weekday weekheader"
        ),
        left_out={
            "LocaleHTMLCalendar LocaleTextCalendar different_locale": _LOCALE,
            "February January c error format formatstring prweek week": INTERNAL,
            "main": COMMAND,
            "IntEnum datetime global_enum repeat sys warnings": IMPORTED,
        },
    ),
    "zoneinfo": ModuleTable(
        offered="InvalidTZPathWarning ZoneInfo ZoneInfoNotFoundError",
        replaced={"available_timezones": "returns the zones of the package tzdata"},
        left_out={"TZPATH reset_tzpath": _FIXED},
    ),
}
