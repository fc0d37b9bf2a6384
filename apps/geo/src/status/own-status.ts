import {
  type Caller,
  countContainerRepositories,
  countJobArtifacts,
  countPackageFiles,
  countProjectRecords,
  countRepositories,
  type GeoCounter,
  getVersion,
  isPassing,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Feed, type FeedEnd } from '../feed/feed.repository';
import { GeoNodes } from '../node/node.repository';
import type { GeoNodeDocument, NodeReport } from '../node/node.schema';

type Counts = Partial<Record<GeoCounter, number>>;

/** Current status of the primary, from its services. Each one counts its records from metadata and indexes. */
@Injectable()
export class OwnStatus {
  constructor(
    private readonly client: OperationClient,
    private readonly feed: Feed,
    private readonly nodes: GeoNodes,
  ) {}

  async read(caller: Caller): Promise<NodeReport> {
    const silent: string[] = [];
    const orSilent = async <R>(service: string, asked: Promise<R>): Promise<R | undefined> =>
      asked.catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        silent.push(service);
        return undefined;
      });
    const [events, secondaries, version, ...counts] = await Promise.all([
      this.feed.end(),
      this.nodes.secondaries(),
      orSilent('identity', this.client.call(getVersion, {}, { caller })),
      ...Object.entries(this.counting()).map(([service, count]) => orSilent(service, count())),
    ]);
    return {
      toldAt: new Date(),
      health: silent.length > 0 ? `Services do not answer: ${silent.sort().join(', ')}` : '',
      version: version?.version ?? null,
      revision: version?.revision ?? null,
      // Designs are not implemented, so there are no repositories of them.
      counters: Object.assign(
        { design_repositories_count: 0 },
        countersOf(events),
        slotsOf(secondaries, events),
        ...counts,
      ) as Counts,
    };
  }

  private counting(): Record<string, () => Promise<Counts>> {
    const { client } = this;
    return {
      projects: async () => {
        const { projects, attachments } = await client.call(countProjectRecords, {});
        return { projects_count: projects, attachments_count: attachments };
      },
      repository: async () => {
        const counted = await client.call(countRepositories, {});
        return {
          repositories_count: counted.repositories,
          repositories_checked_count: counted.repositories_checked,
          repositories_checked_failed_count: counted.repositories_checked_failed,
          repositories_checksummed_count: counted.repositories_checksummed,
          repositories_checksum_failed_count: counted.repositories_checksum_failed,
          wikis_count: counted.wikis,
          wikis_checksummed_count: counted.wikis_checksummed,
          wikis_checksum_failed_count: counted.wikis_checksum_failed,
        };
      },
      ci: async () => ({ job_artifacts_count: (await client.call(countJobArtifacts, {})).job_artifacts }),
      registry: async () => {
        const { container_repositories } = await client.call(countContainerRepositories, {});
        return { container_repositories_count: container_repositories };
      },
      delivery: async () => {
        const { package_files, lfs_objects } = await client.call(countPackageFiles, {});
        return { package_files_count: package_files, lfs_objects_count: lfs_objects };
      },
    };
  }
}

const countersOf = ({ lastId, lastAt }: FeedEnd): Counts => ({
  last_event_id: lastId,
  ...(lastAt && { last_event_timestamp: Math.floor(lastAt.getTime() / 1000) }),
});

/** Without progress for so long, a secondary counts as stopped. */
const silentAfterMs = 600_000;
/** Estimated size of an event in the feed. */
const bytesOfEvent = 100;

/** The feed as replication slots: one for each secondary, active if it reports. See docs/api/geo.md#3. */
function slotsOf(secondaries: readonly GeoNodeDocument[], { lastId }: FeedEnd): Counts {
  const reports = secondaries.flatMap(({ status }) => status ?? []);
  const cursors = reports.flatMap(({ counters }) => counters.cursor_last_event_id ?? []);
  const missing = Math.max(0, ...cursors.map((cursor) => lastId - cursor));
  return {
    replication_slots_count: secondaries.length,
    replication_slots_used_count: reports.filter(({ toldAt }) => Date.now() - toldAt.getTime() < silentAfterMs).length,
    replication_slots_max_retained_wal_bytes: missing * bytesOfEvent,
  };
}
