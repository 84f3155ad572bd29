"""A badge: passed of all cases."""

from __future__ import annotations

from collections.abc import Mapping


def badge(totals: Mapping[str, int], label: str = "Coulomb friction") -> str:
    """An SVG badge: passed of all cases."""
    value = f"{totals['pass']} of {sum(totals.values())}"
    colour = "#2a7a3b" if totals["pass"] == sum(totals.values()) else "#8a6d00" if totals["pass"] else "#8a1f1f"
    left, right = 7 * len(label) + 10, 7 * len(value) + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{label}: {value}">'
        f'<rect width="{left}" height="20" fill="#444"/><rect x="{left}" width="{right}" height="20" fill="{colour}"/>'
        f'<g fill="#fff" font-family="sans-serif" font-size="11" text-anchor="middle"><text x="{left / 2}" y="14">{label}</text>'
        f'<text x="{left + right / 2}" y="14">{value}</text></g></svg>\n'
    )
