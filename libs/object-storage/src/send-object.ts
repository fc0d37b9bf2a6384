import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ObjectMissing, type ObjectStorage } from './object-storage';

interface Shown {
  key: string;
  contentType: string;
  filename: string;
  /** Shown by browsers in place; everything else is offered for saving. */
  isInline: boolean;
}

/**
 * Streams an object to an HTTP client; 404 when it is gone. Whatever users uploaded can run no script here: its type
 * is not guessed, and the page has no rights.
 */
export async function sendObject(
  storage: ObjectStorage,
  { key, contentType, filename, isInline }: Shown,
  response: ServerResponse,
): Promise<void> {
  try {
    const { stream, sizeBytes } = await storage.read(key);
    response.writeHead(200, {
      'content-type': contentType,
      'content-length': sizeBytes,
      'content-disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(filename)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    await pipeline(stream, response);
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error;
    response.writeHead(404).end();
  }
}
