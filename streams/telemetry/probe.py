"""`python -m streams.telemetry.probe URL`: ends with 0 where the URL answers 200, else with 1 and what it said. For health checks of containers."""

import sys
import urllib.error
import urllib.request

TIMEOUT_S = 8.0
SAID_BYTES = 500


def main() -> None:
    """Asks once."""
    try:
        with urllib.request.urlopen(sys.argv[1], timeout=TIMEOUT_S) as answer:
            sys.exit(0 if answer.status == 200 else 1)
    except urllib.error.HTTPError as error:
        print(error.read(SAID_BYTES).decode("utf-8", "replace").strip())
    except (OSError, ValueError) as error:
        print(error)
    sys.exit(1)


if __name__ == "__main__":
    main()
