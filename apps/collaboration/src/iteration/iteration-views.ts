import type { GroupRef, Iteration } from '@moothall/contracts';
import { only } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { ParentDirectory } from '../parent/parent-directory';
import { Urls } from '../parent/urls';
import { Iterations } from './iteration.repository';
import type { IterationDocument } from './iteration.schema';
import { stateOf } from './iteration-days';

type Named = Pick<GroupRef, 'fullPath'>;

/** Shows iterations. See docs/api/iterations.md#1. */
@Injectable()
export class IterationViews {
  constructor(
    private readonly iterations: Iterations,
    private readonly parents: ParentDirectory,
    private readonly urls: Urls,
  ) {}

  /** Of any groups; it reads their paths in one batch. */
  async view(iterations: IterationDocument[]): Promise<Iteration[]> {
    if (iterations.length === 0) return [];
    const groups = await this.parents.findGroups(iterations.map(({ groupId }) => groupId));
    return this.viewIn(iterations, groups);
  }

  /** Calls no other service: a stored change is answered even while other services are down. */
  async viewOfGroup(iteration: IterationDocument, group: Named): Promise<Iteration> {
    return only(await this.viewIn([iteration], new Map([[iteration.groupId, group]])));
  }

  private async viewIn(iterations: IterationDocument[], groups: ReadonlyMap<number, Named>): Promise<Iteration[]> {
    const sequences = await this.iterations.sequences(iterations);
    return iterations.map((iteration) => {
      const group = groups.get(iteration.groupId);
      return {
        id: iteration._id,
        iid: iteration.iid,
        // An iteration that was just deleted has no sequence.
        sequence: sequences.get(iteration._id) ?? 0,
        group_id: iteration.groupId,
        title: iteration.title,
        description: iteration.description,
        state: stateOf(iteration),
        created_at: iteration.createdAt.toISOString(),
        updated_at: iteration.updatedAt.toISOString(),
        start_date: iteration.startDate,
        due_date: iteration.dueDate,
        web_url: `${group ? this.urls.group(group) : this.urls.page('')}/-/iterations/${iteration.iid}`,
      };
    });
  }
}
