import { eachAlone, PeriodicJob } from '@moothall/background';
import { type EventData, type EventRecord, replicaVerified, verifyReplica } from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import type { GeoNodeDocument } from '../../node/node.schema';
import { PrimarySite } from '../primary-site';
import { ReplicaRows } from '../replica-row.repository';
import { type RepositoryRow, repositoryKinds } from '../replica-row.schema';
import { keyOf, requestFailureOf } from './request-replication';

/** Defaults of a site that is not a node. */
const usual = { verificationMaxCapacity: 100, minimumReverificationIntervalDays: 7 };
const dayMs = 24 * 3_600_000;
const comparedAtOnce = 100;
const incomparable = 'The primary has no checksum of it';
const different = 'It differs from the repository of the primary';

/**
 * Compares copies with the primary by checksum after each change, and periodically reads each copy completely.
 * Differing or damaged copies are copied again. See docs/api/geo-replication.md#4.
 */
@Injectable()
export class VerifyReplicas {
  constructor(
    private readonly primary: PrimarySite,
    private readonly rows: ReplicaRows,
    private readonly nodes: GeoNodes,
    private readonly client: OperationClient,
  ) {}

  @PeriodicJob('copies to compare', {
    everySeconds: (verifying: VerifyReplicas) => verifying.primary.looksEverySeconds,
    where: (verifying: VerifyReplicas) => verifying.primary.isKnown,
  })
  async compare(signal?: AbortSignal): Promise<void> {
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    for (let isFull = true; isFull && !signal?.aborted; ) {
      const rows = await this.rows.listToVerify(repositoryKinds, 'comparing', comparedAtOnce);
      await this.rows.leaveUntilSynced(rows);
      const still = rows.filter(({ state }) => state === 'synced');
      for (const kind of repositoryKinds) await this.compareWithPrimary(still.filter((row) => row.kind === kind));
      isFull = rows.length === comparedAtOnce;
    }
  }

  private async compareWithPrimary(rows: readonly RepositoryRow[]): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const ids = rows.map(({ projectId }) => projectId);
    const theirs = await this.primary.checksums(ids, first.kind);
    const isSame = ({ projectId, checksum }: RepositoryRow) => checksum !== null && theirs.get(projectId) === checksum;
    await this.rows.verified(rows.filter(isSame));
    for (const row of rows.filter((each) => !isSame(each))) {
      if (theirs.get(row.projectId) === null || !theirs.has(row.projectId))
        await this.rows.notVerified(row, incomparable);
      else await this.copyAgain(row, different);
    }
  }

  /** At the first mismatch the primary may have changed since: another copy is enough. */
  private async copyAgain(row: RepositoryRow, why: string): Promise<void> {
    await this.rows.notVerified(row, why, row.verifyTries === 0 ? row.verification : 'mismatch');
    await this.rows.heal(row);
  }

  @PeriodicJob('copies to verify', {
    everySeconds: (verifying: VerifyReplicas) => 5 * verifying.primary.looksEverySeconds,
    where: (verifying: VerifyReplicas) => verifying.primary.isKnown,
  })
  async verify(signal?: AbortSignal): Promise<void> {
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    await eachAlone(await this.due(node ?? usual), (row) => this.read(row), signal);
  }

  /** As many as there are free slots; open requests use a slot. */
  private async due(node: Pick<GeoNodeDocument, keyof typeof usual>): Promise<RepositoryRow[]> {
    const silent = await this.rows.listToVerify(repositoryKinds, 'asked', node.verificationMaxCapacity);
    const room = node.verificationMaxCapacity - (await this.rows.countVerifying(repositoryKinds));
    if (room <= 0) return silent;
    const again = [
      ...(await this.rows.listToVerify(repositoryKinds, 'failed', room)),
      ...(await this.rows.listToVerify(repositoryKinds, 'mismatch', room)),
    ].slice(0, room);
    const before = new Date(Date.now() - node.minimumReverificationIntervalDays * dayMs);
    const old =
      again.length < room ? await this.rows.listToVerify(repositoryKinds, 'verified', room - again.length, before) : [];
    return [...silent, ...again, ...old];
  }

  private async read(row: RepositoryRow): Promise<void> {
    if (!(await this.rows.beginVerifying(row))) return;
    await this.client.call(verifyReplica, keyOf(row)).catch(async (error: unknown) => {
      await this.rows.notVerified({ ...row, verification: 'asked' }, requestFailureOf(error));
    });
  }

  @OnEvent(replicaVerified, 'VerifyReplicas-read')
  async wasRead({ data }: EventRecord<EventData<typeof replicaVerified>>): Promise<void> {
    const row = await this.rows.get(data.project_id, data.kind);
    if (!row) return;
    const why = data.error ?? 'It could not be read';
    // It is damaged even if it was copied meanwhile.
    if (data.outcome === 'damaged') {
      await this.rows.notVerified(row, why);
      await this.rows.heal(row);
    } else if (row.verification === 'asked') {
      if (data.outcome === 'intact') await this.rows.wasRead(row, data.checksum);
      else await this.rows.notVerified(row, why);
    }
  }
}
