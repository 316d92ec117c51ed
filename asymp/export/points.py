"""The points of a line of evidence as a small picture: what was measured, against the size at which it was.

Sizes such as 10^8, 10^100, 10^1000 stand at equal distances; values that shrink or grow by powers are drawn by their logarithms,
those below 0 downwards.  The least and the largest value stand beside the axis.

>>> points = [{"at": {"n": f"1e{k}"}, "value": str(1 + 1 / k), "radius": "0"} for k in (8, 20, 100)]
>>> picture(points)[:31], picture(points[:1])
('<svg class="plot" viewBox="0 0 ', '')
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 440, 130, 92, 28, 10, 22
MOST_CURVES = 4
FEWEST = 3
"""Points of a curve."""
POWERS = 4
"""Powers of ten between the values, from which on their logarithms are drawn."""
FLAT = 1e-9
"""Relative: a curve that shows less is not drawn."""
STYLES = ("", ' stroke-dasharray="5 3"', ' stroke-dasharray="2 3"', ' stroke-dasharray="8 3 2 3"')


def picture(points: Sequence[Mapping[str, Any]], line: float | None = None) -> str:
    """An SVG; empty where there is no curve of some points.  ``line``: a level that is marked, if it is in sight."""
    curves = _curves(points)
    if not curves:
        return ""
    sizes = sorted({x for curve in curves for x, _, _ in curve.values()})
    values = [value for curve in curves for _, value, _ in curve.values()]
    radii = [radius for curve in curves for _, _, radius in curve.values()]
    logs = [_log10(value) for value in values]
    powers = None not in logs and max(logs) - min(logs) > POWERS  # type: ignore[type-var, operator]
    if powers and len({value > 0 for value in values}) > 1:
        return ""
    sign = -1 if powers and values[0] < 0 else 1
    ys = [sign * float(log) for log in logs if log is not None] if powers else [float(value) for value in values]
    errors = [0.0] * len(ys) if powers else [float(radius) for radius in radii]
    if not all(map(math.isfinite, [*ys, *errors])):
        return ""
    if max(ys) - min(ys) <= FLAT * max(map(abs, ys)):
        return ""
    low = min(y - e for y, e in zip(ys, errors, strict=True))
    high = max(y + e for y, e in zip(ys, errors, strict=True))
    if line is not None and not powers and low - (high - low) <= line <= high + (high - low):
        low, high = min(low, line), max(high, line)
    else:
        line = None
    room = (high - low) * 0.08 or max(abs(high), 1.0) * 1e-3
    ends = [(end(ys), end(values)) for end in (min, max)]
    return _drawn(curves, sizes, ys, errors, (low - room, high + room), line, ends)


def _curves(points: Sequence[Mapping[str, Any]]) -> list[dict[Any, tuple[Fraction, Decimal, Decimal]]]:
    """Points that differ in one number alone, by size; none where there is no such number, or too many curves."""
    names = list(dict.fromkeys(name for point in points for name in point["at"]))
    count = {name: len({point["at"].get(name) for point in points}) for name in names}
    if not names:
        return []
    running = max(names, key=lambda name: count[name])
    found: dict[tuple[str, ...], dict[Any, tuple[Fraction, Decimal, Decimal]]] = {}
    for point in points:
        try:
            size = _number(str(point["at"][running]))
            value, radius = Decimal(point["value"]), Decimal(str(point["radius"]) or 0)
        except (KeyError, ValueError, InvalidOperation, ZeroDivisionError):
            return []
        if size is None or not value.is_finite() or not radius.is_finite():
            return []
        others = tuple(f"{name} = {point['at'][name]}" for name in names if name != running and name in point["at"])
        curve = found.setdefault(others, {})
        if size in curve:
            return []
        curve[size] = (size, value, radius)
    curves = [dict(sorted(curve.items())) for curve in found.values() if len(curve) >= FEWEST]
    return curves if len(curves) <= MOST_CURVES else []


def _number(text: str) -> Fraction | None:
    """A size, if it is one that can be written out.

    >>> _number("1e1000") == 10**1000, _number("1/3"), _number("1e-99999999")
    (True, Fraction(1, 3), None)
    """
    power = Decimal(text).adjusted() if "/" not in text and Decimal(text).is_finite() else 0
    return Fraction(text) if len(text) < 40 and abs(power) < 10_000 else None


def _log10(value: Decimal) -> float | None:
    return None if value == 0 else float(value.adjusted() + (abs(value).scaleb(-value.adjusted())).log10())


def _drawn(
    curves: list[dict[Any, tuple[Fraction, Decimal, Decimal]]],
    sizes: list[Fraction],
    ys: list[float],
    errors: list[float],
    reach: tuple[float, float],
    line: float | None,
    ends: list[tuple[float, Decimal]],
) -> str:
    low, high = reach
    step = (WIDTH - LEFT - RIGHT) / max(len(sizes) - 1, 1)

    def across(size: Fraction) -> float:
        return round(LEFT + step * sizes.index(size), 1)

    def up(y: float) -> float:
        return round(TOP + (HEIGHT - TOP - FOOT) * (high - y) / (high - low), 1)

    parts = [f'<path d="M{LEFT} {TOP}V{HEIGHT - FOOT}H{WIDTH - RIGHT}" fill="none" stroke="currentColor" opacity=".35"/>']
    if line is not None:
        parts.append(f'<path d="M{LEFT} {up(line)}H{WIDTH - RIGHT}" stroke="currentColor" stroke-dasharray="1 4"/>')
    k = 0
    for style, curve in zip(STYLES, curves, strict=False):
        places = []
        for size in curve:
            x, y = across(size), up(ys[k])
            places.append(f"{x} {y}")
            if errors[k] and up(ys[k] - errors[k]) - up(ys[k] + errors[k]) > 1:
                parts.append(f'<path d="M{x} {up(ys[k] - errors[k])}V{up(ys[k] + errors[k])}" stroke="currentColor"/>')
            parts.append(f'<circle cx="{x}" cy="{y}" r="2.6" fill="currentColor"/>')
            k += 1
        parts.append(f'<path d="M{"L".join(places)}" fill="none" stroke="currentColor"{style}/>')
    every = max(1, -(-len(sizes) // 6))
    for j, size in enumerate(sizes):
        if j % every == 0:
            parts.append(_text(across(size), HEIGHT - 6, _size(size), "middle"))
    digits = next((d for d in range(3, 17) if len({_value(value, d) for _, value in ends}) > 1), 17)
    for y, value in ends:
        parts.append(_text(LEFT - 6, up(y) + 4, _value(value, digits), "end"))
    said = " to ".join(_value(value, 6) for _, value in ends)
    label = f"{len(sizes)} sizes, from {_size(sizes[0])} to {_size(sizes[-1])}: values from {said}"
    inside = "".join(parts)
    box = f'class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
    return f'<svg {box} role="img" aria-label="{html.escape(label)}">{inside}</svg>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="12" fill="currentColor" text-anchor="{anchor}">{html.escape(text)}</text>'


_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def _value(value: Decimal, digits: int) -> str:
    """A number in some digits, with a power of ten where it is far from 1.

    >>> _value(Decimal("-8.3333e998"), 3), _value(Decimal("0.0078125"), 4), _value(Decimal("1e20"), 3)
    ('-8.33·10⁹⁹⁸', '0.007812', '10²⁰')
    """
    if value == 0 or -5 < value.adjusted() < 6:
        return f"{float(value):.{digits}g}"
    mantissa = f"{float(value.scaleb(-value.adjusted())):.{digits}g}"
    power = "10" + str(value.adjusted()).translate(_RAISED)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def _size(size: Fraction) -> str:
    """A power of ten, or the number.

    >>> _size(Fraction(10) ** 100), _size(Fraction(1, 2)), _size(Fraction(150))
    ('10¹⁰⁰', '1/2', '150')
    """
    power = len(str(size.numerator)) - 1
    if size.denominator == 1 and power >= 3 and size == 10**power:
        return "10" + str(power).translate(_RAISED)
    return f"{float(size):.4g}" if power > 8 else str(size)
