import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { commonErrors } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { unattended } from '@moothall/logging';
import { OwnFolder } from '@moothall/processes';
import type { LargeBody } from './body';
import type { LargeMessage } from './large-message';

const ticketName = 'parcel';
/** As long as the signed token is valid. */
const keptMs = 60_000;
const chunkLength = 256 * 1024;

/**
 * Stores bodies that are too large for a message until their receiver fetches them from the data port: on disk, so
 * that slow receivers and concurrent bodies need no memory.
 */
export class LargeMessageStore {
  private readonly folder = new OwnFolder('parcels');
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly dataPort: DataPort) {
    dataPort.serve<string>(ticketName, (id, request, response) => this.serve(id, request, response));
  }

  async keep({ texts, items }: LargeBody): Promise<LargeMessage> {
    const id = randomUUID();
    const file = this.fileOf(id);
    try {
      const written = await write(file, texts);
      this.timers.set(id, setTimeout(() => unattended('a large message', this.forget(id)), keptMs).unref());
      return { url: this.dataPort.presign(ticketName, id).url, ...written, items };
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  private fileOf(id: string): string {
    return path.join(this.folder.path(), id);
  }

  private async serve(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.timers.has(id)) throw commonErrors.gone();
    if (request.method === 'DELETE') {
      await this.forget(id);
      response.writeHead(204).end();
      return;
    }
    const file = await open(this.fileOf(id));
    // It is unlinked now, and deleted after its last reader.
    await this.forget(id);
    const { size } = await file.stat();
    response.writeHead(200, { 'content-length': size });
    await pipeline(file.createReadStream(), response).catch((error: unknown) => {
      // A receiver that hangs up has its reasons.
      if (!response.destroyed) throw error;
    });
  }

  private async forget(id: string): Promise<void> {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    await rm(this.fileOf(id), { force: true });
  }

  /** After the data port is closed: unfetched bodies are deleted. */
  async close(): Promise<void> {
    for (const timer of this.timers.values()) clearTimeout(timer);
    await this.folder.remove();
  }
}

/** In chunks of one size, whatever the sizes of the texts; the event loop continues between writes. */
async function write(path: string, texts: Iterable<string>): Promise<Pick<LargeMessage, 'sizeBytes' | 'sha1'>> {
  const file = await open(path, 'wx', 0o600);
  const sha1 = createHash('sha1');
  let sizeBytes = 0;
  try {
    for (const chunk of inChunks(texts)) {
      const bytes = Buffer.from(chunk);
      sha1.update(bytes);
      sizeBytes += bytes.length;
      await file.appendFile(bytes);
    }
  } finally {
    await file.close();
  }
  return { sizeBytes, sha1: sha1.digest('hex') };
}

function* inChunks(texts: Iterable<string>): Generator<string> {
  let gathered = '';
  for (const text of texts) {
    gathered += text;
    if (gathered.length < chunkLength) continue;
    let start = 0;
    while (gathered.length - start >= chunkLength) {
      // A character of two halves stays in one chunk.
      const end = start + chunkLength - (isFirstHalf(gathered.charCodeAt(start + chunkLength - 1)) ? 1 : 0);
      yield gathered.slice(start, end);
      start = end;
    }
    gathered = gathered.slice(start);
  }
  if (gathered) yield gathered;
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
