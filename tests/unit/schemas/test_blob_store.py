"""A blob store that is a folder: what is told of a blob that is not there."""

from pathlib import Path

import pytest

from schemas.blobs import BlobStore
from schemas.errors import Code, PageloomError


def test_a_folder_that_is_not_there_is_a_store_that_is_away_and_no_blob_that_is_gone(tmp_path: Path) -> None:
    """A share that was unmounted for two seconds made its documents fail for good, with the advice to publish them again."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "blobs"
    link.symlink_to(tmp_path / "real")
    store = BlobStore(link.as_uri())
    reference = store.put_shared(b"kept")
    link.unlink()
    link.symlink_to(tmp_path / "nowhere")
    for access in (lambda: store.get(reference, 100), lambda: store.local_path(reference, tmp_path, 100), lambda: store.put_shared(b"other")):
        with pytest.raises(PageloomError) as caught:
            access()
        assert caught.value.code is Code.STORE_UNAVAILABLE
    link.unlink()
    link.symlink_to(tmp_path / "real")
    assert store.get(reference, 100) == b"kept"
    (tmp_path / "real" / reference.name).unlink()
    with pytest.raises(PageloomError) as caught:
        store.get(reference, 100)
    assert caught.value.code is Code.BLOB_MISSING
