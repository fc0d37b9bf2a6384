import { batched } from '@moothall/background';
import { type EventData, type EventRecord, issueChanged } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { OpenIssues } from '../open-issues';

/** Issues change in bursts: all changes within so many milliseconds share one call. */
const burstMs = 250;
const mostEvents = 10_000;

/** Stores the number of open issues, so that no list has to ask for it. */
@Injectable()
export class FollowIssues {
  // Changes during a running count may be missing from it: they join the next batch.
  private readonly countSoon = batched<number, void>((ids) => this.countAll(ids), { most: mostEvents, forMs: burstMs });

  constructor(private readonly issues: OpenIssues) {}

  /** Counts are read, not computed from events: an event may come twice or out of order. */
  @OnEvent(issueChanged, 'FollowIssues-changed')
  async changed({ data }: EventRecord<EventData<typeof issueChanged>>): Promise<void> {
    await this.countSoon(data.issue.project_id);
  }

  /** Only the events of projects that could not be counted are retried. */
  private async countAll(ids: number[]): Promise<(undefined | Error)[]> {
    const counted = new Map([...new Set(ids)].map((id) => [id, this.issues.count(id)]));
    return Promise.all(ids.map((id) => counted.get(id)?.catch((error: Error) => error)));
  }
}
