export { DiskStorage } from './disk-storage';
export { ObjectMissing, ObjectStorage, type ObjectStorageSettings, objectStorageSettings } from './object-storage';
export { openObjectStorage } from './open-storage';
export { S3Storage } from './s3-storage';
export { sendObject } from './send-object';
