import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Access, downloadLfsObject, type ProjectRef, uploadLfsObject } from '@moothall/contracts';
import { refusalHeader } from '@moothall/data-port';
import type { DeliveryBed } from './delivery-under-test';

/** One or several processes of the service, and where they store files. */
interface Delivery {
  bed: DeliveryBed;
  folder: string;
}

export const mostBytes = 1024 ** 3;

export const oidOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** Sends objects to a service, reads them, and counts their files. */
export class LfsObjectClient {
  constructor(private readonly delivery: Delivery) {}

  /** @returns the code of the refusal, if it is one */
  async send(project: ProjectRef, content: string | Buffer, given: { oid?: string; size?: number } = {}) {
    const { bed } = this.delivery;
    const bytes = Buffer.from(content);
    const asked = { oid: oidOf(bytes), size: bytes.length, most_bytes: mostBytes, ...given };
    const { url } = await bed.call(uploadLfsObject, asked, bed.as(project));
    // As the gateway sends what comes without a length.
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

  /** How many files there are of the bytes of an object. */
  filesOf(content: string | Buffer): number {
    const oid = oidOf(content);
    const place = path.join(this.delivery.folder, 'delivery/lfs', oid.slice(0, 2), oid.slice(2, 4));
    return existsSync(place) ? readdirSync(place).length : 0;
  }
}
