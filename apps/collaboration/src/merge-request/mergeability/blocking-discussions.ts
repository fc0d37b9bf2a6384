import type { Caller, ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteDocument } from '../../activity/note.schema';
import { MergeSettingsReader } from './merge-settings';

interface Discussed {
  _id: number;
  projectId: number;
}

/** What was said and not resolved keeps from merging, where the project has it so. */
@Injectable()
export class BlockingDiscussions {
  constructor(
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    private readonly settings: MergeSettingsReader,
  ) {}

  /** @returns the merge requests that are kept */
  async findBlocked(
    mergeRequests: Discussed[],
    projects: ReadonlyMap<number, ProjectRef>,
    caller?: Caller,
  ): Promise<ReadonlySet<number>> {
    const unresolved = await this.findUnresolved(mergeRequests.map(({ _id }) => _id));
    const kept = new Set<number>();
    // Few have any, so that projects are seldom asked.
    for (const { _id, projectId } of mergeRequests.filter((each) => unresolved.has(each._id))) {
      const project = projects.get(projectId);
      if (project && (await this.settings.read(project, caller)).only_allow_merge_if_all_discussions_are_resolved)
        kept.add(_id);
    }
    return kept;
  }

  /** Which of some merge requests have something that nobody has resolved. */
  private async findUnresolved(mergeRequestIds: number[]): Promise<Set<number>> {
    if (mergeRequestIds.length === 0) return new Set();
    const found = await this.notes.distinct('unresolvedOn', { unresolvedOn: { $in: mergeRequestIds } });
    return new Set(found as number[]);
  }
}
