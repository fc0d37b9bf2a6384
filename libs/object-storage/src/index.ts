export { DiskStorage } from './disk-storage';
export {
  type ByteRange,
  type HandedFile,
  ObjectMissing,
  type ObjectSource,
  ObjectStorage,
  type ObjectStorageSettings,
  objectStorageSettings,
  requireKey,
} from './object-storage';
export { openObjectStorage } from './open-storage';
export { S3Storage } from './s3-storage';
export { sendFile, sendObject } from './send-object';
