import { type Caller, isFeatureOpen, listPipelines, OperationError, type ProjectRef } from '@moothall/contracts';
import { RecordsClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

/** Reads the last pipeline of a commit from the ci service. */
@Injectable()
export class LastPipelines {
  constructor(private readonly records: RecordsClient) {}

  /**
   * Null if there is none, if the caller may not see it, or if the ci service does not answer: the rest of the commit
   * is still correct.
   */
  async find({ project, caller }: { project: ProjectRef; caller?: Caller | undefined }, sha: string) {
    if (!isFeatureOpen(project, 'builds')) return null;
    const input = { id: String(project.id), sha, per_page: 1 };
    const found = await this.records
      .call(listPipelines, input, { ...(caller && { caller }), project })
      .catch((error: unknown) => {
        if (error instanceof OperationError) return null;
        throw error;
      });
    return found?.items[0] ?? null;
  }
}
