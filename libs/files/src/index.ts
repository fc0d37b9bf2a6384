export { filesOf } from './files-of';
export { SharedFiles } from './shared-files';
