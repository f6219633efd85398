"""Values of our scalars, good and bad, and the check that no error is the server's own."""

import datetime

import schemathesis
from hypothesis import strategies as st
from schemathesis.graphql import nodes


def texts(*values):
    return st.sampled_from(values).map(nodes.String)


DAYS = st.dates()
# A day from either end: an offset leads to no year 0 or 10000.
MOMENTS = st.datetimes(datetime.datetime(1, 1, 2), datetime.datetime(9999, 12, 30))

schemathesis.graphql.scalar("Date", DAYS.map(lambda day: nodes.String(day.isoformat())))
schemathesis.graphql.scalar("DateTime", MOMENTS.map(lambda moment: nodes.String(f"{moment.isoformat()}Z")))
schemathesis.graphql.scalar("EmailAddress", st.integers(0, 9999).map(lambda number: nodes.String(f"a{number}@b.example")))
schemathesis.graphql.scalar("URL", texts("https://example.com/a", "http://example.com/?q=1", "not a URL", ""))
schemathesis.graphql.scalar("Decimal", texts("0", "0.19", "1.0000", "x", "1e5"))
schemathesis.graphql.scalar("BigInt", st.integers(-(2**63), 2**64).map(lambda number: nodes.String(str(number))))
schemathesis.graphql.scalar("SafeInt", st.integers(-(2**53), 2**54).map(nodes.Int))


@schemathesis.check
def no_fault_of_the_server(ctx, response, case):
    """Schemathesis itself takes every error with a path for one."""
    assert response.status_code < 500 or response.status_code == 503, f"HTTP {response.status_code}"
    for error in response.json().get("errors") or []:
        extensions = error.get("extensions") or {}
        assert "code" in extensions and extensions.get("status", 500) in (*range(400, 500), 503), error
