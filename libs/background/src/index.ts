export { FolderInUse, FolderLock } from './folder-lock';
export { Lease, type LeaseOptions, type LeaseRecord } from './lease';
export { describeOwner, isGone, type Owner, thisProcess } from './owner';
