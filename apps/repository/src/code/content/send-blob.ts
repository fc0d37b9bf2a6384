import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GitEngine } from '../../git/engine';

/** Enough to distinguish text from binary, the same number as in git. */
const sniffedBytes = 8000;

/**
 * Sends a blob's bytes. Never with a type that a browser would execute: text as plain text, everything else as a
 * download. See docs/api/repository.md#3.
 */
export async function sendBlob(
  engine: GitEngine,
  path: string,
  { blobId, fileName, who }: { blobId: string; fileName: string; who?: string | undefined },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  request.once('close', () => gone.abort());
  const blob = await engine.objects.streamBlob(path, blobId, { who, signal: gone.signal });
  if (!blob) {
    response.writeHead(404).end();
    return;
  }
  const body = await blob.stream();
  response.writeHead(200, {
    'content-type': Buffer.isBuffer(body) && isText(body) ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'content-length': blob.sizeBytes,
    'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    'content-security-policy': "default-src 'none'; sandbox",
  });
  if (Buffer.isBuffer(body)) response.end(body);
  else await pipeline(body as Readable, response);
}

const isText = (bytes: Buffer): boolean => !bytes.subarray(0, sniffedBytes).includes(0);
