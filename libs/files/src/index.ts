export { checkedBytes } from './checked-bytes';
export { CopiedFileOperations, copiedFilesOf } from './copied-file.operations';
export { type FileSource, FileSources, numericId, textId } from './file-source';
export { filesOf } from './files-of';
export { SharedFiles } from './shared-files';
