export { DiskStorage } from './disk-storage';
export { ObjectMissing, ObjectStorage, type ObjectStorageSettings, objectStorageSettings } from './object-storage';
export { sendObject } from './send-object';
