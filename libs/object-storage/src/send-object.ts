import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bytesOf, requestedRange } from './byte-range';
import { ObjectMissing, type ObjectStorage } from './object-storage';

interface Shown {
  contentType: string;
  filename: string;
  /** Displayed by browsers; everything else is downloaded. */
  isInline: boolean;
}

interface Stored extends Shown {
  key: string;
  /**
   * Identifies its bytes, if nothing else is ever stored under its key: a client with a part of them may request the
   * rest.
   */
  version?: string;
}

/** Streams an object to an HTTP client, or the requested part, like {@link sendFile}; 404 if it does not exist. */
export async function sendObject(
  storage: ObjectStorage,
  { key, version, ...shown }: Stored,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const etag = version === undefined ? undefined : `"${version}"`;
  const headers = { 'accept-ranges': 'bytes', ...(etag !== undefined && { etag }) };
  const asked = requestedRange(request.headers, etag);
  try {
    if (!asked) return await sendFile(await storage.read(key), shown, response, { status: 200, headers });
    const all = await storage.sizeOf(key);
    const part = bytesOf(asked, all);
    if (!part) {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${all}` }).end();
      return;
    }
    const { start, end } = part;
    const range = { ...headers, 'content-range': `bytes ${start}-${end - 1}/${all}` };
    await sendFile(await storage.read(key, part), shown, response, { status: 206, headers: range });
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error;
    response.writeHead(404).end();
  }
}

/**
 * Streams uploads of users to an HTTP client. They can run no script: the type is not guessed, and the page is
 * sandboxed.
 */
export async function sendFile(
  { stream, sizeBytes }: { stream: Readable; sizeBytes: number },
  { contentType, filename, isInline }: Shown,
  response: ServerResponse,
  { status, headers }: { status: number; headers: Record<string, string> } = { status: 200, headers: {} },
): Promise<void> {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': sizeBytes,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(filename)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  await pipeline(stream, response);
}
