import { openIssueCounts } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { StoredCounts } from './stored-counts';

/** The stored number of open issues. */
@Injectable()
export class OpenIssues {
  constructor(
    private readonly counts: StoredCounts,
    private readonly client: OperationClient,
  ) {}

  async count(id: number): Promise<undefined> {
    await this.counts.write(id, async () => {
      const [found] = await this.client.call(openIssueCounts, { project_ids: [id] });
      return found ? { $set: { openIssues: { all: found.open, confidential: found.confidential } } } : {};
    });
  }
}
