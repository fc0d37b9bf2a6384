import {
  type Caller,
  countRepositories,
  freeSpaceOfStorages,
  type GeoCounter,
  getVersion,
  isPassing,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { ToldStatus } from '../node/node.schema';
import { Positions } from '../replication/position.repository';
import type { Position } from '../replication/position.schema';
import { ReplicaCounts, type Tally } from '../replication/replica-counts';
import { type HealthFacts, healthOf } from './health';

type Counts = Partial<Record<GeoCounter, number>>;

/** How a secondary is: what it counts of its copies by their indexes, and how far it has followed its primary. See docs/api/geo.md#3. */
@Injectable()
export class SecondaryStatus {
  constructor(
    private readonly client: OperationClient,
    private readonly counts: ReplicaCounts,
    private readonly positions: Positions,
  ) {}

  async read(caller?: Caller): Promise<ToldStatus> {
    const silent = new Set<string>();
    const orSilent = async <R>(service: string, asked: Promise<R>): Promise<R | undefined> =>
      asked.catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        silent.add(service);
        return undefined;
      });
    const [position, code, wiki, version, own, disks] = await Promise.all([
      this.positions.get(),
      this.counts.of('code'),
      this.counts.of('wiki'),
      orSilent('identity', this.client.call(getVersion, {}, { caller })),
      orSilent('repository', this.client.call(countRepositories, {})),
      orSilent('repository', this.client.call(freeSpaceOfStorages, {})),
    ]);
    const facts: HealthFacts = { now: new Date(), position, silent: [...silent].sort(), disks: disks ?? [] };
    return {
      toldAt: facts.now,
      health: healthOf(facts),
      version: version?.version ?? null,
      revision: version?.revision ?? null,
      counters: {
        // There are no designs here, and so no repositories of them.
        design_repositories_count: 0,
        design_repositories_synced_count: 0,
        design_repositories_failed_count: 0,
        projects_count: code.all,
        ...countersOf('repositories', code),
        ...countersOf('wikis', wiki),
        ...(own && {
          repositories_checked_count: own.repositories_checked,
          repositories_checked_failed_count: own.repositories_checked_failed,
        }),
        ...(position && followedOf(position, facts.now)),
      },
    };
  }
}

const countersOf = (kind: 'repositories' | 'wikis', tally: Tally): Counts => ({
  [`${kind}_count`]: tally.all,
  [`${kind}_synced_count`]: tally.synced,
  [`${kind}_failed_count`]: tally.failed,
  [`${kind}_checksummed_count`]: tally.checksummed,
  [`${kind}_checksum_failed_count`]: tally.unreadable,
  [`${kind}_verified_count`]: tally.verified,
  [`${kind}_verification_failed_count`]: tally.unreadable + tally.mismatched,
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
