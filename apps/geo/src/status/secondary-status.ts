import {
  type Caller,
  countRepositories,
  freeSpaceOfStorages,
  type GeoCounter,
  type GeoKind,
  getVersion,
  isPassing,
  missingGeoKinds,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { NodeReport } from '../node/node.schema';
import { Positions } from '../replication/position.repository';
import type { Position } from '../replication/position.schema';
import { ReplicaCounts } from '../replication/replica-counts';
import type { Tally } from '../replication/tallies.schema';
import { type HealthFacts, healthOf } from './health';

type Counts = Partial<Record<GeoCounter, number>>;

/** Status of a secondary: counts of its copies, and its position in the feed of the primary. See docs/api/geo.md#3. */
@Injectable()
export class SecondaryStatus {
  constructor(
    private readonly client: OperationClient,
    private readonly counts: ReplicaCounts,
    private readonly positions: Positions,
  ) {}

  async read(caller?: Caller): Promise<NodeReport> {
    const silent = new Set<string>();
    const orSilent = async <R>(service: string, asked: Promise<R>): Promise<R | undefined> =>
      asked.catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        silent.add(service);
        return undefined;
      });
    const [position, impostor, kinds, version, own, disks] = await Promise.all([
      this.positions.get(),
      this.positions.impostor(),
      this.counts.read(),
      orSilent('identity', this.client.call(getVersion, {}, { caller })),
      orSilent('repository', this.client.call(countRepositories, {})),
      orSilent('repository', this.client.call(freeSpaceOfStorages, {})),
    ]);
    const facts: HealthFacts = { now: new Date(), position, impostor, silent: [...silent].sort(), disks: disks ?? [] };
    return {
      toldAt: facts.now,
      health: healthOf(facts),
      version: version?.version ?? null,
      revision: version?.revision ?? null,
      counters: {
        // Designs are not implemented, so there are no repositories of them.
        design_repositories_count: 0,
        design_repositories_synced_count: 0,
        design_repositories_failed_count: 0,
        projects_count: kinds.code.all,
        ...repositoryCountersOf('repositories', kinds.code),
        ...repositoryCountersOf('wikis', kinds.wiki),
        ...countersOf('container_repositories', kinds.container_repositories),
        ...countersOf('lfs_objects', kinds.lfs_objects),
        ...countersOf('job_artifacts', kinds.job_artifacts),
        ...countersOf('attachments', sumOf(kinds.uploads, kinds.avatars)),
        ...verifiedCountersOf('package_files', kinds.package_files),
        ...(own && {
          repositories_checked_count: own.repositories_checked,
          repositories_checked_failed_count: own.repositories_checked_failed,
        }),
        ...(position && followedOf(position, facts.now)),
      },
    };
  }
}

const sumOf = (one: Tally, other: Tally): Tally =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, value + other[name as keyof Tally]]),
  ) as unknown as Tally;

const countersOf = (kind: GeoKind, tally: Tally): Counts => ({
  [`${kind}_count`]: tally.all,
  [`${kind}_synced_count`]: tally.synced,
  [`${kind}_failed_count`]: tally.failed,
  ...((missingGeoKinds as readonly string[]).includes(kind) && {
    [`${kind}_synced_missing_on_primary_count`]: tally.missing,
  }),
});

const verifiedCountersOf = (kind: 'repositories' | 'wikis' | 'package_files', tally: Tally): Counts => ({
  ...countersOf(kind, tally),
  [`${kind}_checksummed_count`]: tally.checksummed,
  [`${kind}_checksum_failed_count`]: tally.unreadable,
  [`${kind}_verified_count`]: tally.verified,
  [`${kind}_verification_failed_count`]: tally.unreadable + tally.mismatched,
});

const repositoryCountersOf = (kind: 'repositories' | 'wikis', tally: Tally): Counts => ({
  ...verifiedCountersOf(kind, tally),
  [`${kind}_checksum_mismatch_count`]: tally.mismatched,
  [`${kind}_retrying_verification_count`]: tally.retrying,
});

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

const followedOf = ({ cursor, cursorAt, lastId, lastAt, caughtUpAt }: Position, now: Date): Counts => ({
  last_event_id: lastId,
  ...(lastAt && { last_event_timestamp: seconds(lastAt) }),
  ...(cursor !== null && { cursor_last_event_id: cursor }),
  ...(cursorAt && { cursor_last_event_timestamp: seconds(cursorAt) }),
  ...(caughtUpAt && { db_replication_lag_seconds: Math.max(0, seconds(now) - seconds(caughtUpAt)) }),
});
