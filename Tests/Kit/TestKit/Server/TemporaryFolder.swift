/// Tests that use `TestKit` get its folders without a further import.
@_exported public import TemporaryFolders
