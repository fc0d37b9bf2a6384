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

/** A content may be removed meanwhile; more attempts are never needed. */
const mostRounds = 5;

/**
 * Receives objects on the data port. SHA-256 and size are verified as bytes arrive. A client must also send an object
 * that others have uploaded: knowing its id does not give access to it. Equal contents are stored once.
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

  /** Bytes that a project may still upload, without uploads in progress. */
  async room(projectId: number): Promise<number> {
    const most = this.settings.LFS_SIZE_LIMIT;
    if (most === 0) return Number.POSITIVE_INFINITY;
    // In this order: an upload that completes between the two reads counts twice instead of not at all.
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
      // Including this upload: of two concurrent uploads that would each fit alone, at most one does.
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
      // The periodic job retries failures.
      await this.contents.giveUp(content).catch(() => undefined);
      throw error;
    }
  }

  private async place({ projectId, oid, sizeBytes }: AnnouncedFile, own: LfsContent): Promise<void> {
    for (let round = 0; round < mostRounds; round++) {
      const stored = await this.contents.store(own);
      if (!stored) continue;
      await this.objects.put({ projectId, oid, sizeBytes, contentId: stored._id });
      // No project can refer to a content that is being removed.
      if (!(await this.contents.hold(stored._id, stored._id === own._id))) continue;
      if (stored._id !== own._id) await this.contents.giveUp(own).catch(() => undefined);
      return;
    }
    throw commonErrors.unavailable();
  }
}
