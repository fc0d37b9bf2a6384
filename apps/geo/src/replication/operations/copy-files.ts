import { eachAlone, PeriodicJob } from '@moothall/background';
import { type FileKind, fileContractsOf, fileKinds } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import { FileRows } from '../file-rows.repository';
import { putBytes, readBytes } from '../presigned-bytes';
import { FileMissing, PrimarySite } from '../primary-site';
import { ReplicaRows } from '../replica-row.repository';
import type { FileRow } from '../replica-row.schema';
import { wordsOf } from '../words-of';
import { workInSlots } from '../work-in-slots';

/** Defaults of a site that is not a node. */
const usual = { filesMaxCapacity: 10, verificationMaxCapacity: 100, minimumReverificationIntervalDays: 7 };
const atOnce = 100;
const dayMs = 24 * 3_600_000;
/** Below the lease time of a request. */
const saysEveryMs = 20_000;

/**
 * Copies files, up to the node's limit of concurrent ones: each is downloaded from the primary and uploaded to the
 * service that stores it, which verifies size and SHA-256. One process of the site does this; after a crash, another
 * one starts the file again. See docs/api/geo-replication.md#6.
 */
@Injectable()
export class CopyFiles {
  constructor(
    private readonly primary: PrimarySite,
    private readonly rows: ReplicaRows,
    private readonly files: FileRows,
    private readonly nodes: GeoNodes,
    private readonly client: OperationClient,
  ) {}

  @PeriodicJob('files to copy', {
    everySeconds: (copying: CopyFiles) => copying.primary.looksEverySeconds,
    where: (copying: CopyFiles) => copying.primary.isKnown,
  })
  async copyDue(signal?: AbortSignal): Promise<void> {
    await workInSlots(
      {
        capacity: async () => ((await this.nodes.findCurrent()) ?? usual).filesMaxCapacity,
        next: () => this.due(),
        work: (row) => this.copy(row, signal),
      },
      signal,
    );
  }

  /** A file that is due although its copy had started was left by a process that ended. */
  private async due(): Promise<FileRow[]> {
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return [];
    const due: FileRow[] = [];
    for (const state of ['asked', 'pending', 'failed'] as const)
      due.push(...(await this.rows.listDue(fileKinds, state, atOnce - due.length)));
    return due;
  }

  private async copy(row: FileRow, signal?: AbortSignal): Promise<void> {
    if (!(await this.rows.beginAsking(row))) return;
    const saying = setInterval(() => unattended('a copy goes on', this.rows.goesOn(row)), saysEveryMs);
    try {
      const { sha256 } = await this.primary.fetchFile(
        row,
        async (bytes) => {
          const { kind, fileId: id, path: key, sizeBytes: size = null, sha256 = null } = row;
          const { url } = await this.client.call(fileContractsOf[kind].receive, { kind, id, key, size, sha256 });
          return putBytes(url, bytes, signal);
        },
        signal,
      );
      await this.files.kept(row, sha256);
    } catch (error) {
      if (error instanceof FileMissing) await this.files.missing(row);
      else await this.rows.failed(row, copyWordsOf(error));
    } finally {
      clearInterval(saying);
    }
  }

  @PeriodicJob('files to remove', {
    everySeconds: (copying: CopyFiles) => 5 * copying.primary.looksEverySeconds,
    where: (copying: CopyFiles) => copying.primary.isKnown,
  })
  async removeDue(signal?: AbortSignal): Promise<void> {
    await workInSlots(
      {
        capacity: async () => usual.filesMaxCapacity,
        next: () => this.rows.listDue(fileKinds, 'removing', atOnce),
        work: (row) => this.remove(row),
      },
      signal,
    );
  }

  private async remove(row: FileRow): Promise<void> {
    const { kind, fileId: id, path: key } = row;
    try {
      await this.client.call(fileContractsOf[kind].remove, { kind, id, key });
      await this.rows.remove(row);
    } catch (error) {
      await this.rows.postpone(row, copyWordsOf(error));
    }
  }

  @PeriodicJob('files to verify', {
    everySeconds: (copying: CopyFiles) => 5 * copying.primary.looksEverySeconds,
    where: (copying: CopyFiles) => copying.primary.isKnown,
  })
  async verifyDue(signal?: AbortSignal): Promise<void> {
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    const missing = await this.rows.listToVerify(fileKinds, 'missing', atOnce);
    await eachAlone(missing, (row) => this.files.copyAgain(row), signal);
    const { verificationMaxCapacity, minimumReverificationIntervalDays } = node ?? usual;
    await workInSlots(
      {
        capacity: async () => verificationMaxCapacity,
        next: () => this.unverified(minimumReverificationIntervalDays),
        work: (row) => this.verify(row, signal),
      },
      signal,
    );
  }

  private async unverified(days: number): Promise<FileRow[]> {
    const silent = await this.rows.listToVerify(fileKinds, 'asked', atOnce);
    const again = await this.rows.listToVerify(fileKinds, 'failed', atOnce);
    const before = new Date(Date.now() - days * dayMs);
    const old = await this.rows.listToVerify(fileKinds, 'verified', atOnce, before);
    return [...silent, ...again.filter(({ state }) => state === 'synced'), ...old];
  }

  private async verify(row: FileRow, signal?: AbortSignal): Promise<void> {
    if (!(await this.rows.beginVerifying(row))) return;
    const asked: FileRow = { ...row, verification: 'asked' };
    const found = await this.checksumOf(row.kind, row.path, signal).catch((error: unknown) => error as Error);
    if (found instanceof Error) await this.rows.notVerified(asked, copyWordsOf(found));
    else if (found === row.checksum) await this.files.verified(row);
    else {
      await this.rows.notVerified(asked, 'Its bytes are not those that were copied');
      await this.files.copyAgain({ ...row, verification: 'failed' });
    }
  }

  /** Null if the bytes are missing. */
  private async checksumOf(kind: FileKind, key: string, signal?: AbortSignal): Promise<string | null> {
    const { url } = await this.client.call(fileContractsOf[kind].read, { kind, key });
    return readBytes(url, signal);
  }
}

/** Errors other than refusals come from the network or the primary, and have their own message. */
const copyWordsOf = (error: unknown): string => wordsOf(error, error instanceof Error ? error.message : String(error));
