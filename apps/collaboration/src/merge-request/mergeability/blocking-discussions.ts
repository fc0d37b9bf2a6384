import { batched } from '@moothall/background';
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

/** Unresolved discussions block merging if the project requires resolution. */
@Injectable()
export class BlockingDiscussions {
  constructor(
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    private readonly settings: MergeSettingsReader,
  ) {}

  /** @returns the blocked merge requests */
  async findBlocked(
    mergeRequests: Discussed[],
    projects: ReadonlyMap<number, ProjectRef>,
    caller?: Caller,
  ): Promise<ReadonlySet<number>> {
    const unresolved = await this.findUnresolved(mergeRequests.map(({ _id }) => _id));
    // Few merge requests have any, so project settings are rarely read.
    const discussed = mergeRequests.filter(({ _id }) => unresolved.has(_id));
    const ids = [...new Set(discussed.map(({ projectId }) => projectId))];
    const keeping = await Promise.all(ids.map((id) => this.isKeeping(projects.get(id), caller)));
    const kept = new Set(ids.filter((_, at) => keeping[at]));
    return new Set(discussed.filter(({ projectId }) => kept.has(projectId)).map(({ _id }) => _id));
  }

  private async isKeeping(project: ProjectRef | undefined, caller: Caller | undefined): Promise<boolean> {
    return !!project && (await this.settings.read(project, caller)).only_allow_merge_if_all_discussions_are_resolved;
  }

  /** Merge requests with unresolved discussions. */
  private async findUnresolved(mergeRequestIds: number[]): Promise<ReadonlySet<number>> {
    return mergeRequestIds.length === 0 ? new Set() : this.unresolved(mergeRequestIds);
  }

  /** One query for all concurrent calls. */
  private readonly unresolved = batched<number[], ReadonlySet<number>>(async (asked) => {
    const ids = [...new Set(asked.flat())];
    const found = new Set(await this.notes.distinct('unresolvedOn', { unresolvedOn: { $in: ids } }));
    return asked.map(() => found as ReadonlySet<number>);
  });
}
