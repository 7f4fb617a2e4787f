"""Search sinks: chunks of finished documents in an index, seconds after they were parsed. Imports `schemas`, no other stage."""
