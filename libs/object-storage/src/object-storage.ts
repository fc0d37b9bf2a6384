import { Readable } from 'node:stream';
import { directory, durabilitySettings, type SettingValues, secret, string, url } from '@moothall/config';

/** Settings of services with files. */
export const objectStorageSettings = {
  OBJECT_STORAGE_DIR: directory({
    about: 'Folder for uploads, avatars, artifacts and exports; each service has its own folder in it',
  }),
  ...durabilitySettings,
  S3_ENDPOINT: url({
    optional: true,
    protocols: ['http', 'https'],
    about: 'S3-compatible storage for uploads, avatars, artifacts and exports, instead of the disk',
  }),
  S3_BUCKET: string({ default: 'moothall', about: 'Bucket; it has to exist' }),
  S3_REGION: string({ default: 'us-east-1', about: 'Region of the bucket' }),
  S3_ACCESS_KEY: string({ optional: true, about: 'Access key' }),
  S3_SECRET_KEY: secret({ optional: true, about: 'Secret of the access key' }),
};
export type ObjectStorageSettings = SettingValues<typeof objectStorageSettings>;

const part = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}$/;

/** @throws Error for an invalid key, or one that leads outside */
export function requireKey(key: string): void {
  if (!key.split('/').every((name) => part.test(name))) throw new Error(`not a key: ${key}`);
}

/** The object does not exist. */
export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`no object ${key}`);
  }
}

/** Bytes from `start` on, up to `end`, which is not among them. Not empty, and inside of the object. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bytes that may already be a file on this machine, which does not change any more. */
export interface HandedFile {
  stream(): Readable;
  /** Links that file. @returns false if there is none, and the bytes must be read */
  linkTo(file: string): Promise<boolean>;
}

/** The content of an object. */
export type ObjectSource = Readable | HandedFile;

/** Called with all bytes in order. */
export type OnBytes = (chunk: Buffer) => void;

/** Reads the content of an object. */
export function readSource(source: ObjectSource, onBytes?: OnBytes): Readable {
  const stream = 'linkTo' in source ? source.stream() : source;
  return onBytes ? Readable.from(counted(stream, onBytes), { objectMode: false }) : stream;
}

async function* counted(stream: Readable, onBytes: OnBytes): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onBytes(chunk);
    yield chunk;
  }
}

/**
 * Stores files by key. A key consists of parts joined by `/`, each of letters, digits, `_`, `-` and `.`, none
 * beginning with a dot; names of users' files belong into the database, not into a key.
 */
export abstract class ObjectStorage {
  /** True for a bucket, which may be copied by other means, and false for a disk of the site. */
  abstract readonly isElsewhere: boolean;

  /**
   * Stores the bytes under a key, and replaces an existing object. Durable when it resolves; nothing is stored if it
   * fails.
   * @throws common.disk_full; common.unavailable if the key is removed meanwhile
   */
  abstract write(key: string, source: ObjectSource, onBytes?: OnBytes): Promise<{ sizeBytes: number }>;

  /** All of it, or a part, with its size. @throws ObjectMissing */
  abstract read(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number }>;

  /** How many bytes it is, without reading them. @throws ObjectMissing */
  abstract sizeOf(key: string): Promise<number>;

  /** Also removes the drafts of interrupted writes. A missing object is no error. */
  abstract remove(key: string): Promise<void>;

  /** Removes all keys below `prefix/`. */
  abstract removeAll(prefix: string): Promise<void>;

  /** Removes incomplete writes of killed processes. */
  abstract removeInterrupted(): Promise<void>;
}
