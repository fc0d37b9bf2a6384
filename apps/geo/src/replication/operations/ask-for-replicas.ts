import { eachAlone, Sweeps } from '@moothall/background';
import { type EventData, type EventRecord, removeReplica, replicaSynced, syncReplica } from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import type { GeoNodeDocument } from '../../node/node.schema';
import { PrimarySite, UnusablePath } from '../primary-site';
import { ReplicaRows } from '../replica-row.repository';
import { type RepositoryRow, repositoryKinds } from '../replica-row.schema';
import { wordsOf } from '../words-of';

/** Of a site that is no node. */
const defaultCapacity = 25;
const removalsAtOnce = 100;

/** Asks the repository service for what is noted, so many at a time as the node may. See docs/api/geo.md#7. */
@Injectable()
export class AskForReplicas {
  constructor(
    private readonly primary: PrimarySite,
    private readonly rows: ReplicaRows,
    private readonly nodes: GeoNodes,
    private readonly client: OperationClient,
  ) {}

  @Sweeps('replicas that are due', { everySeconds: 0.25, where: (asking: AskForReplicas) => asking.primary.isKnown })
  async ask(signal?: AbortSignal): Promise<void> {
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    const removable = await this.rows.listDue(repositoryKinds, 'removing', removalsAtOnce);
    await eachAlone(removable, (row) => this.remove(row), signal);
    // One that was asked for and is due again has a place already.
    await eachAlone(await this.rows.listDue(repositoryKinds, 'asked', removalsAtOnce), (row) => this.sync(row), signal);
    await this.fill(node, signal);
  }

  /** Whoever has a place free asks for the next at once: the sweep finds what was left. */
  private async fill(node: GeoNodeDocument | null, signal?: AbortSignal): Promise<void> {
    if (node && !node.isEnabled) return;
    const room = (node?.reposMaxCapacity ?? defaultCapacity) - (await this.rows.countIn(repositoryKinds, 'asked'));
    if (room <= 0) return;
    const fresh = await this.rows.listDue(repositoryKinds, 'pending', room);
    const again = fresh.length < room ? await this.rows.listDue(repositoryKinds, 'failed', room - fresh.length) : [];
    await eachAlone([...fresh, ...again], (row) => this.sync(row), signal);
  }

  @OnEvent(replicaSynced, 'AskForReplicas-synced')
  async synced({ data }: EventRecord<EventData<typeof replicaSynced>>): Promise<void> {
    const row = await this.rows.get(data.project_id, data.kind);
    if (!row) return;
    const error = data.error ?? 'it could not be copied';
    if (data.outcome === 'synced') await this.rows.synced(row, data.checksum, new Date(data.ended_at));
    else if (data.outcome === 'failed') await this.rows.failed(row, error);
    else await this.missing(row, error);
    await this.fill(await this.nodes.findCurrent());
  }

  /** A project that is gone, too, goes here; what the primary cannot say now is asked when it fails again. */
  private async missing(row: RepositoryRow, error: string): Promise<void> {
    const project = await this.primary.project(row.projectId).catch(() => undefined);
    if (project === undefined) await this.rows.failed(row, error);
    else if (project === null) await this.rows.drop([row.projectId]);
    else await this.rows.missing(row, error);
  }

  private async sync(row: RepositoryRow): Promise<void> {
    if (!(await this.rows.beginAsking(row))) return;
    try {
      const source_url = this.primary.sourceOf(row);
      await this.client.call(syncReplica, { ...keyOf(row), source_url });
      await this.rows.asked(row);
    } catch (error) {
      await this.rows.failed(row, askedWordsOf(error));
    }
  }

  private async remove(row: RepositoryRow): Promise<void> {
    try {
      await this.client.call(removeReplica, keyOf(row));
      await this.rows.remove(row);
    } catch (error) {
      await this.rows.postpone(row, askedWordsOf(error));
      throw error;
    }
  }
}

export const keyOf = ({ projectId, kind }: RepositoryRow) => ({ project_id: projectId, kind });

/** Why a repository service did not do what it was asked. */
export const askedWordsOf = (error: unknown): string =>
  wordsOf(error, error instanceof UnusablePath ? error.message : 'The repository service could not be asked');
