import { batched, eachAlone, PeriodicJob } from '@moothall/background';
import { type EventData, type EventRecord, removeReplica, replicaSynced, syncReplica } from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import { PrimarySite, UnusablePath } from '../primary-site';
import { ReplicaRows } from '../replica-row.repository';
import { type RepositoryRow, repositoryKinds } from '../replica-row.schema';
import { wordsOf } from '../words-of';

/** Default of a site that is not a node. */
const defaultCapacity = 25;
const atOnce = 100;

/**
 * Requests pending copies from the repository service, up to the node's limit of concurrent ones. See
 * docs/api/geo-replication.md#3.
 */
@Injectable()
export class RequestReplication {
  private upcoming: RepositoryRow[] = [];

  constructor(
    private readonly primary: PrimarySite,
    private readonly rows: ReplicaRows,
    private readonly nodes: GeoNodes,
    private readonly client: OperationClient,
  ) {}

  @PeriodicJob('replicas that are due', {
    everySeconds: (asking: RequestReplication) => asking.primary.looksEverySeconds / 4,
    where: (asking: RequestReplication) => asking.primary.isKnown,
  })
  async ask(signal?: AbortSignal): Promise<void> {
    if (!(await this.rows.isAnyDue(repositoryKinds))) return;
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    const removable = await this.rows.listDue(repositoryKinds, 'removing', atOnce);
    await eachAlone(removable, (row) => this.remove(row), signal);
    // A requested copy that is due again already has a slot.
    await eachAlone(await this.rows.listDue(repositoryKinds, 'asked', atOnce), (row) => this.sync(row), signal);
    // Copies that became due meanwhile are not in this list.
    this.upcoming = [];
    await this.fill();
  }

  /** A free slot requests the next copy immediately; the periodic job finds the rest. Concurrent requests are one. */
  private readonly fill: (none?: undefined) => Promise<void> = batched(
    async (wishes) => {
      await this.fillPlaces();
      return wishes.map(() => undefined);
    },
    { most: atOnce },
  );

  private async fillPlaces(): Promise<void> {
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    const room = (node?.reposMaxCapacity ?? defaultCapacity) - (await this.rows.countIn(repositoryKinds, 'asked'));
    for (let left = room; left > 0; ) {
      const next = await this.next(left);
      if (next.length === 0) return;
      const begun = await Promise.all(next.map((row) => this.sync(row)));
      left -= begun.filter(Boolean).length;
    }
  }

  /** Reads a hundred at a time; a copy that is no longer due then is skipped. */
  private async next(most: number): Promise<RepositoryRow[]> {
    if (this.upcoming.length === 0) this.upcoming = await this.rows.listDue(repositoryKinds, 'pending', atOnce);
    if (this.upcoming.length === 0) this.upcoming = await this.rows.listDue(repositoryKinds, 'failed', atOnce);
    return this.upcoming.splice(0, most);
  }

  @OnEvent(replicaSynced, 'AskForReplicas-synced')
  async synced({ data }: EventRecord<EventData<typeof replicaSynced>>): Promise<void> {
    const { project_id: projectId, kind, outcome, checksum } = data;
    if (outcome === 'synced') await this.rows.synced({ projectId, kind, checksum, syncedAt: new Date(data.ended_at) });
    else await this.notSynced(data);
    await this.fill();
  }

  private async notSynced({ project_id, kind, outcome, error }: EventData<typeof replicaSynced>): Promise<void> {
    const row = await this.rows.get(project_id, kind);
    if (!row) return;
    const words = error ?? 'it could not be copied';
    if (outcome === 'failed') await this.rows.failed(row, words);
    else await this.missing(row, words);
  }

  /**
   * A project that was deleted there is removed here; if the primary does not answer, it is asked again after the next
   * failure.
   */
  private async missing(row: RepositoryRow, error: string): Promise<void> {
    const project = await this.primary.project(row.projectId).catch(() => undefined);
    if (project === undefined) await this.rows.failed(row, error);
    else if (project === null) await this.rows.drop([row.projectId]);
    else await this.rows.missing(row, error);
  }

  /** @returns whether the copy was still due */
  private async sync(row: RepositoryRow): Promise<boolean> {
    if (!(await this.rows.beginAsking(row))) return false;
    try {
      const source_url = this.primary.sourceOf(row);
      await this.client.call(syncReplica, { ...keyOf(row), source_url });
      await this.rows.asked(row);
    } catch (error) {
      await this.rows.failed(row, requestFailureOf(error));
    }
    return true;
  }

  private async remove(row: RepositoryRow): Promise<void> {
    try {
      await this.client.call(removeReplica, keyOf(row));
      await this.rows.remove(row);
    } catch (error) {
      await this.rows.postpone(row, requestFailureOf(error));
      throw error;
    }
  }
}

export const keyOf = ({ projectId, kind }: RepositoryRow) => ({ project_id: projectId, kind });

/** The reason why a repository service refused a request. */
export const requestFailureOf = (error: unknown): string =>
  wordsOf(error, error instanceof UnusablePath ? error.message : 'The repository service could not be asked');
