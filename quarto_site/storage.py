"""Static files under names that carry their content's hash, also where one script imports another."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Without this, a script's imports keep their plain names and a browser may mix two releases."""

    support_js_module_import_aggregation = True
