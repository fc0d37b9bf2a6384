import type { Caller, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Discussions } from '../discussion/discussion.repository';
import { MergeSettingsOf } from './merge-settings';

interface Merged {
  _id: number;
  projectId: number;
}

/** What was said and not resolved keeps from merging, where the project has it so. */
@Injectable()
export class BlockingDiscussions {
  constructor(
    private readonly discussions: Discussions,
    private readonly settings: MergeSettingsOf,
  ) {}

  /** @returns the merge requests that are kept */
  async on(
    mergeRequests: Merged[],
    projects: ReadonlyMap<number, ProjectRef>,
    caller?: Caller,
  ): Promise<ReadonlySet<number>> {
    const unresolved = await this.discussions.unresolvedOn(mergeRequests.map(({ _id }) => _id));
    const kept = new Set<number>();
    // Few have any, so that projects are seldom asked.
    for (const { _id, projectId } of mergeRequests.filter((each) => unresolved.has(each._id))) {
      const project = projects.get(projectId);
      if (project && (await this.settings.project(project, caller)).only_allow_merge_if_all_discussions_are_resolved)
        kept.add(_id);
    }
    return kept;
  }
}
