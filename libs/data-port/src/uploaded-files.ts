import { link, rm, stat } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { commonErrors, type FileLimit, type UploadedFile } from '@moothall/contracts';
import { keysOf, read } from './signed-token';

/** Name under which a gateway's data port serves the files of clients. */
export const uploadHandler = 'upload';

/** The signed facts of a file. Names and types are those of the client. */
export interface UploadClaims {
  /** Data port of the gateway that has it. */
  origin: string;
  id: string;
  /** Its path on the machine of that port, if it is a plain file there. */
  path?: string | undefined;
  filename: string;
  contentType: string;
  sizeBytes: number;
}

/** Opens files of clients. A URL that a client sends instead of a file is never fetched, since it is not signed. */
export class UploadedFiles {
  private readonly keys: readonly string[];

  /** @param acceptedKey as of the data port */
  constructor(signingKey: string, acceptedKey?: string | undefined) {
    this.keys = keysOf(signingKey, acceptedKey);
  }

  /**
   * @throws common.bad_request without a valid signature of a gateway; the error of the limit if the announced size
   * is too large
   */
  open({ ticket }: UploadedFile, limit: FileLimit<number>): Upload {
    const signed = read(this.keys, ticket, Date.now());
    if (signed?.name !== uploadHandler) throw commonErrors.badRequest();
    const claims = signed.args as UploadClaims;
    if (claims.sizeBytes > limit.bytes) throw limit.tooLarge(limit.bytes);
    return new Upload(`${claims.origin}/${ticket}`, claims, limit);
  }
}

const silenceMs = 30_000;

/** A file of a client, counted while it is read. */
export class Upload {
  constructor(
    private readonly url: string,
    private readonly claims: UploadClaims,
    private readonly limit: FileLimit<number>,
  ) {}

  get filename(): string {
    return this.claims.filename;
  }

  get contentType(): string {
    return this.claims.contentType;
  }

  /** Its bytes, once. Fails during the read if there are more than allowed, or not as many as announced. */
  stream(): Readable {
    return Readable.from(this.counted(), { objectMode: false });
  }

  /**
   * Renames it, if it is on the same file system of this machine: its bytes remain when the gateway removes it, and
   * need no copy.
   * @returns false if it must be read
   */
  async linkTo(file: string): Promise<boolean> {
    const { path } = this.claims;
    if (path === undefined) return false;
    try {
      await link(path, file);
    } catch {
      return false;
    }
    if ((await stat(file)).size === this.claims.sizeBytes) return true;
    await rm(file);
    return false;
  }

  bytes(): Promise<Buffer> {
    return buffer(this.stream());
  }

  private async *counted(): AsyncGenerator<Buffer> {
    const { bytes: most, tooLarge } = this.limit;
    let seen = 0;
    for await (const chunk of await fetchBytes(this.url)) {
      seen += chunk.length;
      if (seen > most) throw tooLarge(most);
      yield chunk;
    }
    if (seen !== this.claims.sizeBytes) throw commonErrors.badRequest();
  }
}

/** @throws common.unavailable when the gateway no longer has it */
function fetchBytes(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: silenceMs }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(commonErrors.unavailable());
    });
    request.once('timeout', () => request.destroy(new Error('the gateway sends nothing more of a file')));
    request.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ECONNREFUSED' ? commonErrors.unavailable() : error),
    );
  });
}
