"""Office Open XML (ECMA-376, ISO/IEC 29500): text documents, presentations and workbooks by their structure."""
