"""Totals of the fixture `takings`, computed from its rows: reads {"sales": [...], "questions": [...]}, writes the answers."""

import json
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cmp_to_key
from zoneinfo import ZoneInfo

getcontext().prec = 500


def average(values):
    mean = sum(Fraction(one) for one in values) / len(values)
    units = (abs(mean) * 10**6 + Fraction(1, 2)).__floor__()
    sign = "-" if mean < 0 and units > 0 else ""
    whole, part = divmod(units, 10**6)
    return f"{sign}{whole}.{part:06d}".rstrip("0").rstrip(".")


def total(values):
    text = format(sum(Decimal(one) for one in values), "f")
    return text.lstrip("-") if Decimal(text) == 0 else text


def measure(rows, name):
    if name == "count":
        return len(rows)
    column, of = name.rsplit("_", 1)
    values = [row[column] for row in rows if row.get(column) is not None]
    if of == "distinct":
        return len(set(values))
    if not values:
        return None
    if of == "sum":
        return total([str(one) for one in values])
    if of == "avg":
        return average([str(one) for one in values])
    if column == "sold_at":
        return max(values)
    largest = max(Decimal(one) for one in values)
    return min(one for one in values if Decimal(one) == largest)


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def group(row, name, zone):
    if name in ("kind", "seller_id"):
        return row[name]
    if name == "due_on_quarter":
        day = row.get("due_on")
        return None if day is None else f"{day[:5]}{(int(day[5:7]) - 1) // 3 * 3 + 1:02d}-01"
    time = instant(row["sold_at"])
    local = time.astimezone(ZoneInfo(zone))
    if name == "sold_at_hour":
        since = timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
        return (time - since).astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    day = local.date()
    if name == "sold_at_week":
        day -= timedelta(days=day.weekday())
    if name == "sold_at_month":
        day = day.replace(day=1)
    return day.isoformat()


def value(name, one):
    """Decimals are worth what they say; texts come by code point."""
    return Decimal(one) if name.rsplit("_", 1)[-1] in ("sum", "avg") else one


def compared(keys):
    def compare(one, other):
        for key in keys:
            name, sign = key.lstrip("-"), -1 if key.startswith("-") else 1
            a, b = one[name], other[name]
            if a == b:
                continue
            if a is None or b is None:
                return -sign if a is None else sign
            a, b = value(name, a), value(name, b)
            if a != b:
                return -sign if a < b else sign
        return 0

    return cmp_to_key(compare)


def answer(sales, question):
    caller, query = question["caller"], question["query"]
    names = query.get("group_by", [])
    measures = query.get("measures", ["count"])
    sort = query.get("sort", ["-count"])
    shop = question["shop"]
    if "margins:read" not in caller["scopes"] and any("margin" in name for name in measures + sort):
        return {"status": 403}
    if shop["tenant"] != caller["tenant"] or not (shop["owner"] == caller["sub"] or "shops:all" in caller["scopes"]):
        return {"status": 404}
    kinds, amount = query.get("kind"), query.get("amount", {})
    rows = [
        row
        for row in sales
        if row["shop"] == shop["id"]
        and (kinds is None or row["kind"] in kinds)
        and row["amount"] >= amount.get("gte", row["amount"])
        and row["amount"] < amount.get("lt", row["amount"] + 1)
    ]
    groups = {} if names else {(): rows}
    if names:
        for row in rows:
            groups.setdefault(tuple(group(row, one, query.get("time_zone", "UTC")) for one in names), []).append(row)
    known = set(measures) | {key.lstrip("-") for key in sort if key.lstrip("-") not in names}
    found = [
        dict(zip(names, values)) | {name: measure(own, name) for name in known} for values, own in groups.items()
    ]
    found.sort(key=compared(sort + names))
    limit = query.get("limit", 2)
    asked = [*names, *measures]
    data = [{name: one[name] for name in asked} for one in found[:limit]]
    return {"status": 200, "body": {"data": data, "has_more": len(found) > limit}}


given = json.load(sys.stdin)
json.dump([answer(given["sales"], one) for one in given["questions"]], sys.stdout)
