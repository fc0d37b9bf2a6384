import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Access, downloadLfsObject, type ProjectRef, uploadLfsObject } from '@moothall/contracts';
import { refusalHeader } from '@moothall/data-port';
import type { DeliveryBed } from './delivery-under-test';

/** One or several processes of the service, and their storage folder. */
interface Delivery {
  bed: DeliveryBed;
  folder: string;
}

export const mostBytes = 1024 ** 3;

export const oidOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** Sends objects to a service, reads them, and counts stored files. */
export class LfsObjectClient {
  constructor(private readonly delivery: Delivery) {}

  /** @returns the error code of a refusal */
  async send(project: ProjectRef, content: string | Buffer, given: { oid?: string; size?: number } = {}) {
    const { bed } = this.delivery;
    const bytes = Buffer.from(content);
    const asked = { oid: oidOf(bytes), size: bytes.length, most_bytes: mostBytes, ...given };
    const { url } = await bed.call(uploadLfsObject, asked, bed.as(project));
    // The gateway's form for bodies without a length.
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
    const refusal = response.headers.get(refusalHeader);
    if (refusal) return JSON.parse(refusal).code as string;
    expect(response.status).toBe(200);
    return undefined;
  }

  async contentOf(project: ProjectRef, oid: string): Promise<string> {
    const { bed } = this.delivery;
    const { url } = await bed.call(downloadLfsObject, { oid }, bed.as(project, Access.Reporter));
    return (await fetch(url)).text();
  }

  /** Number of stored files with the bytes of an object. */
  filesOf(content: string | Buffer): number {
    const oid = oidOf(content);
    const place = path.join(this.delivery.folder, 'delivery/lfs', oid.slice(0, 2), oid.slice(2, 4));
    return existsSync(place) ? readdirSync(place).length : 0;
  }
}
