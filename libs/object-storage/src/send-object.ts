import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ObjectMissing, type ObjectStorage } from './object-storage';

interface Shown {
  contentType: string;
  filename: string;
  /** Shown by browsers in place; everything else is offered for saving. */
  isInline: boolean;
}

/** Streams an object to an HTTP client, as {@link sendFile}; 404 when it is gone. */
export async function sendObject(
  storage: ObjectStorage,
  { key, ...shown }: Shown & { key: string },
  response: ServerResponse,
): Promise<void> {
  try {
    await sendFile(await storage.read(key), shown, response);
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error;
    response.writeHead(404).end();
  }
}

/**
 * Streams what users uploaded to an HTTP client. It can run no script here: its type is not guessed, and the page has no
 * rights.
 */
export async function sendFile(
  { stream, sizeBytes }: { stream: Readable; sizeBytes: number },
  { contentType, filename, isInline }: Shown,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': sizeBytes,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(filename)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  await pipeline(stream, response);
}
