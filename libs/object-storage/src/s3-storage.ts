import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { commonErrors } from '@moothall/contracts';
import { Client, S3Error } from 'minio';
import {
  type ByteRange,
  ObjectMissing,
  type ObjectSource,
  ObjectStorage,
  type OnBytes,
  readSource,
  requireKey,
} from './object-storage';

export interface S3Place {
  /** `http://` or `https://`, without the bucket. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** Prefix of every key: several services share a bucket. */
  prefix: string;
}

/** Sent in one request, and buffered in memory; the largest object has 10,000 parts. */
const partBytes = 8 * 1024 ** 2;
/** No write of an object takes longer than this. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;
const removedAtOnce = 1000;

/** Objects in a bucket of an S3 service. An object is stored completely or not at all, by the guarantee of S3. */
export class S3Storage extends ObjectStorage {
  readonly isElsewhere = true;
  private readonly client: Client;
  private readonly bucket: string;
  private readonly prefix: string;

  constructor({ endpoint, region, bucket, accessKey, secretKey, prefix }: S3Place) {
    super();
    const { hostname, port, protocol } = new URL(endpoint);
    const useSSL = protocol === 'https:';
    // With the bucket in the path, which needs no name service and which every server supports.
    const where = { endPoint: hostname, port: Number(port) || (useSSL ? 443 : 80), useSSL, region, pathStyle: true };
    this.client = new Client({ ...where, accessKey, secretKey, partSize: partBytes });
    this.bucket = bucket;
    this.prefix = prefix;
  }

  async write(key: string, source: ObjectSource, onBytes?: OnBytes): Promise<{ sizeBytes: number }> {
    try {
      return await this.writeInParts(this.nameOf(key), readSource(source, onBytes));
    } catch (error) {
      throw isFull(error) ? commonErrors.diskFull() : error;
    }
  }

  private async writeInParts(name: string, bytes: Readable): Promise<{ sizeBytes: number }> {
    const parts = partsOf(bytes);
    const first = await parts.next();
    const second = first.done ? first : await parts.next();
    if (first.done || second.done) return this.writeWhole(name, first.value ?? Buffer.alloc(0));
    const upload = await this.client.initiateNewMultipartUpload(this.bucket, name, {});
    try {
      return await this.writeParts(name, upload, [first.value, second.value], parts);
    } catch (error) {
      // An upload that cannot be aborted now is aborted with the interrupted ones.
      await this.client.abortMultipartUpload(this.bucket, name, upload).catch(() => undefined);
      throw error;
    }
  }

  private async writeWhole(name: string, content: Buffer): Promise<{ sizeBytes: number }> {
    await this.client.putObject(this.bucket, name, content, content.length);
    return { sizeBytes: content.length };
  }

  private async writeParts(name: string, uploadID: string, begun: Buffer[], rest: AsyncIterable<Buffer>) {
    const written: { part: number; etag: string }[] = [];
    let sizeBytes = 0;
    const send = async (content: Buffer) => {
      const partNumber = written.length + 1;
      const at = { bucketName: this.bucket, objectName: name, uploadID, partNumber, headers: {} };
      const { etag } = await this.client.uploadPart(at, content);
      written.push({ part: partNumber, etag });
      sizeBytes += content.length;
    };
    for (const content of begun) await send(content);
    for await (const content of rest) await send(content);
    await this.client.completeMultipartUpload(this.bucket, name, uploadID, written);
    return { sizeBytes };
  }

  async read(key: string, range?: ByteRange): Promise<{ stream: Readable; sizeBytes: number }> {
    const name = this.nameOf(key);
    const asked = range
      ? this.client.getPartialObject(this.bucket, name, range.start, range.end - range.start)
      : this.client.getObject(this.bucket, name);
    const stream = await asked.catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissing(key) : error;
    });
    return { stream, sizeBytes: Number((stream as IncomingMessage).headers['content-length']) };
  }

  async sizeOf(key: string): Promise<number> {
    const facts = await this.client.statObject(this.bucket, this.nameOf(key)).catch((error: unknown) => {
      throw isMissing(error) ? new ObjectMissing(key) : error;
    });
    return facts.size;
  }

  async remove(key: string): Promise<void> {
    await this.client.removeObject(this.bucket, this.nameOf(key));
    await this.abort(this.nameOf(key), ({ key: name }) => name === this.nameOf(key));
  }

  async removeAll(prefix: string): Promise<void> {
    let names: string[] = [];
    const flush = async () => {
      if (names.length > 0) await this.client.removeObjects(this.bucket, names);
      names = [];
    };
    for await (const { name } of this.client.listObjectsV2(this.bucket, `${this.nameOf(prefix)}/`, true)) {
      names.push(name);
      if (names.length === removedAtOnce) await flush();
    }
    await flush();
  }

  async removeInterrupted(): Promise<void> {
    const deadline = Date.now() - abandonedAfterMs;
    await this.abort(`${this.prefix}/`, ({ initiated }) => initiated.getTime() < deadline);
  }

  /** Aborts abandoned uploads. Servers without a list of them abort them by themselves. */
  private async abort(prefix: string, isMeant: (upload: Interrupted) => boolean): Promise<void> {
    try {
      for await (const upload of this.client.listIncompleteUploads(this.bucket, prefix, true)) {
        if (isMeant(upload)) await this.client.abortMultipartUpload(this.bucket, upload.key, upload.uploadId);
      }
    } catch (error) {
      if (!(error instanceof S3Error) || error.code !== 'NotImplemented') throw error;
    }
  }

  private nameOf(key: string): string {
    requireKey(key);
    return `${this.prefix}/${key}`;
  }
}

interface Interrupted {
  key: string;
  uploadId: string;
  initiated: Date;
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && ['NoSuchKey', 'NotFound'].includes(error.code ?? '');

/** The errors of S3 servers for a full disk, each with its own text. */
const isFull = (error: unknown): boolean =>
  error instanceof S3Error && /storagefull|insufficient.?storage|quotaexceeded/i.test(error.code ?? '');

/** The bytes in parts of one size; the last one is shorter. */
async function* partsOf(bytes: Readable): AsyncGenerator<Buffer, undefined> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const more = Buffer.from(chunk);
    chunks.push(more);
    length += more.length;
    while (length >= partBytes) {
      const held = Buffer.concat(chunks);
      yield held.subarray(0, partBytes);
      chunks = [held.subarray(partBytes)];
      length -= partBytes;
    }
  }
  if (length > 0) yield Buffer.concat(chunks);
}
