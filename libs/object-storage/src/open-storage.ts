import path from 'node:path';
import { DiskStorage } from './disk-storage';
import type { ObjectStorage, ObjectStorageSettings } from './object-storage';
import { S3Storage } from './s3-storage';

/** The storage of a service: a bucket if one is configured, else the disk. */
export function openObjectStorage(service: string, settings: ObjectStorageSettings): ObjectStorage {
  if (!settings.S3_ENDPOINT) return new DiskStorage(path.join(settings.OBJECT_STORAGE_DIR, service), settings.FSYNC);
  return new S3Storage({
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET,
    accessKey: settings.S3_ACCESS_KEY ?? '',
    secretKey: settings.S3_SECRET_KEY ?? '',
    prefix: service,
  });
}
