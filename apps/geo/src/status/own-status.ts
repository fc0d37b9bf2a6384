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
import type { ToldStatus } from '../node/node.schema';

type Counts = Partial<Record<GeoCounter, number>>;

/** How the primary is, as its services say it at the moment. Each knows how many records it has without reading them. */
@Injectable()
export class OwnStatus {
  constructor(
    private readonly client: OperationClient,
    private readonly feed: Feed,
  ) {}

  async read(caller: Caller): Promise<ToldStatus> {
    const silent: string[] = [];
    const orSilent = async <R>(service: string, asked: Promise<R>): Promise<R | undefined> =>
      asked.catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        silent.push(service);
        return undefined;
      });
    const [events, version, ...counts] = await Promise.all([
      this.feed.end(),
      orSilent('identity', this.client.call(getVersion, {}, { caller })),
      ...Object.entries(this.counting()).map(([service, count]) => orSilent(service, count())),
    ]);
    return {
      toldAt: new Date(),
      health: silent.length > 0 ? `Services do not answer: ${silent.sort().join(', ')}` : '',
      version: version?.version ?? null,
      revision: version?.revision ?? null,
      // There are no designs here, and so no repositories of them.
      counters: Object.assign({ design_repositories_count: 0 }, countersOf(events), ...counts) as Counts,
    };
  }

  private counting(): Record<string, () => Promise<Counts>> {
    const { client } = this;
    return {
      projects: async () => {
        const { projects, attachments } = await client.call(countProjectRecords, {});
        return { projects_count: projects, attachments_count: attachments };
      },
      repository: async () => ({ repositories_count: (await client.call(countRepositories, {})).repositories }),
      ci: async () => ({ job_artifacts_count: (await client.call(countJobArtifacts, {})).job_artifacts }),
      registry: async () => {
        const { container_repositories } = await client.call(countContainerRepositories, {});
        return { container_repositories_count: container_repositories };
      },
      delivery: async () => ({ package_files_count: (await client.call(countPackageFiles, {})).package_files }),
    };
  }
}

const countersOf = ({ lastId, lastAt }: FeedEnd): Counts => ({
  last_event_id: lastId,
  ...(lastAt && { last_event_timestamp: Math.floor(lastAt.getTime() / 1000) }),
});
