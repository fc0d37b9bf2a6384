import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { vulnerabilityExportErrors } from '@moothall/contracts';
import type { ObjectStorage } from '@moothall/object-storage';
import type { VulnerabilityExport } from './vulnerability-export.schema';

/**
 * Streams the parts of an export as one file. A missing part aborts the response, so an incomplete file never looks
 * complete.
 */
export async function sendExport(
  storage: ObjectStorage,
  { parts, filename }: VulnerabilityExport,
  response: ServerResponse,
): Promise<void> {
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  const bytes = async function* () {
    for (const { key } of parts) yield* (await storage.read(key)).stream;
  };
  if (parts.length === 0) throw vulnerabilityExportErrors.notFound();
  response.writeHead(200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-length': sizeBytes,
    'content-disposition': `attachment; filename="${filename}"; filename*=UTF-8''${encodeURIComponent(filename)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  await pipeline(Readable.from(bytes(), { objectMode: false }), response);
}
