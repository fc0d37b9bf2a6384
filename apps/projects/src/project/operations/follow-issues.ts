import { batched } from '@moothall/background';
import { type EventData, type EventRecord, issueChanged, type OutputOf, openIssueCounts } from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Projects } from '../project.repository';

/** Issues change in bursts; those of so many milliseconds are one question. */
const burstMs = 100;

type Counts = OutputOf<typeof openIssueCounts>;

/** Keeps how many open issues a project has, so that no list has to ask. */
@Injectable()
export class FollowIssues {
  // What changes while a batch is counted is not certain to be in its counts: that is another batch.
  private readonly countSoon = batched<number, void>((ids) => this.countAll(ids), { forMs: burstMs });

  constructor(
    private readonly projects: Projects,
    private readonly client: OperationClient,
  ) {}

  /** The counts are asked for, not reckoned: an event may come twice, or after a later one. */
  @OnEvent(issueChanged, 'FollowIssues-changed')
  async changed({ data }: EventRecord<EventData<typeof issueChanged>>): Promise<void> {
    await this.countSoon(data.issue.project_id);
  }

  private async countAll(ids: number[]): Promise<undefined[]> {
    await this.count([...new Set(ids)]);
    return ids.map(() => undefined);
  }

  /** Asked until the answer stays: of two replicas the one that asked first may write last. */
  private async count(project_ids: number[], known?: Counts): Promise<void> {
    const counts = known ?? (await this.client.call(openIssueCounts, { project_ids }));
    for (const { project_id, open, confidential } of counts) {
      const set = { $set: { openIssues: { all: open, confidential } } };
      await this.projects.model.updateOne({ _id: project_id }, set, { timestamps: false });
    }
    const now = await this.client.call(openIssueCounts, { project_ids });
    const changed = now.filter(
      (one, at) => one.open !== counts[at]?.open || one.confidential !== counts[at]?.confidential,
    );
    const ids = changed.map(({ project_id }) => project_id);
    if (ids.length > 0) await this.count(ids, changed);
  }
}
