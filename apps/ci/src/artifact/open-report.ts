import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ObjectStorage } from '@moothall/object-storage';
import { keyOf } from './artifact.repository';
import type { Artifact } from './artifact.schema';

/** An unpacked report. @throws ObjectMissing; errors of zlib are emitted by the stream */
export async function openReport(storage: ObjectStorage, report: Artifact): Promise<Readable> {
  const { stream } = await storage.read(keyOf(report));
  if (report.format !== 'gzip') return stream;
  const gunzip = createGunzip();
  stream.once('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  // The reader stops early.
  gunzip.once('close', () => stream.destroy());
  return gunzip;
}
