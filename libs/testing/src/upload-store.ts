import { randomUUID } from 'node:crypto';
import type { UploadedFile } from '@moothall/contracts';
import { DataPort, type UploadClaims, uploadHandler } from '@moothall/data-port';
import { ticketKey } from './ticket-key';

/** Replaces the spool of the gateway: stores files and signs their tokens. */
export class UploadStore {
  private readonly files = new Map<string, Buffer>();

  private constructor(private readonly port: DataPort) {
    port.serve<UploadClaims>(uploadHandler, async ({ id }, _request, response) => {
      response.end(this.files.get(id));
    });
  }

  /** @param signingKey by default that of the services under test */
  static async start(signingKey = ticketKey): Promise<UploadStore> {
    const port = new DataPort({ host: '127.0.0.1', port: 0, signingKey }, () => undefined);
    const store = new UploadStore(port);
    await port.listen();
    return store;
  }

  /** @param claims false facts about the file */
  add(bytes: Buffer, filename: string, claims: Partial<UploadClaims> = {}): UploadedFile {
    const id = randomUUID();
    this.files.set(id, bytes);
    const truth = { id, filename, contentType: 'application/octet-stream', sizeBytes: bytes.length };
    return this.port.uploadedFile({ ...truth, ...claims });
  }

  stop(): Promise<void> {
    return this.port.close();
  }
}
