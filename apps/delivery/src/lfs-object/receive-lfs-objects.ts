import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonErrors, lfsErrors, type PresignedUrl } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { checkedBytes } from '@moothall/files';
import { OperationClient, removeIfDeleted } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { DeliverySettings } from '../settings/settings';
import { LfsContents } from './lfs-content.repository';
import type { LfsContent } from './lfs-content.schema';
import { LfsObjects } from './lfs-object.repository';
import { RemoveLfsObjects } from './remove-lfs-objects';

interface AnnouncedFile {
  projectId: number;
  oid: string;
  sizeBytes: number;
}

/** An unused content may be removed meanwhile; this does not repeat often. */
const mostRounds = 5;

/**
 * Receives objects on the data port. Bytes are compared with their SHA-256 and size as they arrive. A client that sends an object
 * that others have sends it all the same: knowing its name is no way to it. What is there already is then kept once.
 */
@Injectable()
export class ReceiveLfsObjects {
  constructor(
    private readonly dataPort: DataPort,
    private readonly contents: LfsContents,
    private readonly objects: LfsObjects,
    private readonly removal: RemoveLfsObjects,
    private readonly client: OperationClient,
    @Inject(settingsToken) private readonly settings: DeliverySettings,
  ) {
    dataPort.serve<AnnouncedFile>('lfs-upload', (announced, request, response) =>
      this.answer(announced, request, response),
    );
  }

  address(announced: AnnouncedFile): PresignedUrl {
    return this.dataPort.presign('lfs-upload', announced);
  }

  /** Bytes that a project may still get; with what is on its way. */
  async room(projectId: number): Promise<number> {
    const most = this.settings.LFS_SIZE_LIMIT;
    if (most === 0) return Number.POSITIVE_INFINITY;
    // In this order: what arrives between the two reads counts twice, and never not at all.
    const coming = await this.contents.onTheirWay(projectId);
    const sizes = await this.objects.sizes([projectId]);
    return most - (sizes.get(projectId) ?? 0) - coming;
  }

  private async answer(announced: AnnouncedFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const length = request.headers['content-length'];
    if (length !== undefined && Number(length) !== announced.sizeBytes) throw lfsErrors.wrongContent();
    await this.receive(announced, request.iterator({ destroyOnReturn: false }));
    response.writeHead(200, { 'content-length': 0 }).end();
  }

  private async receive(announced: AnnouncedFile, bytes: AsyncIterable<Buffer>): Promise<void> {
    const content = await this.contents.begin(announced);
    try {
      // With its own bytes: of two at once that fit alone, at most one does.
      if ((await this.room(announced.projectId)) < 0) throw lfsErrors.projectFull();
      await this.contents.write(
        content,
        checkedBytes(
          bytes,
          { sha256: announced.oid, sizeBytes: announced.sizeBytes },
          { refusal: () => lfsErrors.wrongContent(), onBytes: () => this.contents.seen(content) },
        ),
      );
      await this.place(announced, content);
      await removeIfDeleted(this.client, announced.projectId, () => this.removal.ofProject(announced.projectId));
    } catch (error) {
      // What cannot be removed now is removed by the periodic job.
      await this.contents.giveUp(content).catch(() => undefined);
      throw error;
    }
  }

  private async place({ projectId, oid, sizeBytes }: AnnouncedFile, own: LfsContent): Promise<void> {
    for (let round = 0; round < mostRounds; round++) {
      const stored = await this.contents.store(own);
      if (!stored) continue;
      await this.objects.put({ projectId, oid, sizeBytes, contentId: stored._id });
      // Those that were about to be removed are not anybody's to have any more.
      if (!(await this.contents.hold(stored._id, stored._id === own._id))) continue;
      if (stored._id !== own._id) await this.contents.giveUp(own).catch(() => undefined);
      return;
    }
    throw commonErrors.unavailable();
  }
}
