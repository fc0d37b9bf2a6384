import { batched } from '@moothall/background';
import { type EventData, type EventRecord, issueChanged } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { OpenIssues } from '../open-issues';

/** Issues change in bursts; those of so many milliseconds are one question. */
const burstMs = 250;
const mostEvents = 10_000;

/** Keeps how many open issues a project has, so that no list has to ask. */
@Injectable()
export class FollowIssues {
  // What changes while a batch is counted is not certain to be in its counts: that is another batch, after this one.
  private readonly countSoon = batched<number, void>((ids) => this.countAll(ids), { most: mostEvents, forMs: burstMs });

  constructor(private readonly issues: OpenIssues) {}

  /** The counts are asked for, not reckoned: an event may come twice, or after a later one. */
  @OnEvent(issueChanged, 'FollowIssues-changed')
  async changed({ data }: EventRecord<EventData<typeof issueChanged>>): Promise<void> {
    await this.countSoon(data.issue.project_id);
  }

  /** Of one that could not be counted, the events come again, and of no other. */
  private async countAll(ids: number[]): Promise<(undefined | Error)[]> {
    const counted = new Map([...new Set(ids)].map((id) => [id, this.issues.count(id)]));
    return Promise.all(ids.map((id) => counted.get(id)?.catch((error: Error) => error)));
  }
}
