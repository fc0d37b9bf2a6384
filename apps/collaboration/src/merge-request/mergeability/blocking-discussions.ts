import { batched } from '@moothall/background';
import type { ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteDocument } from '../../activity/note.schema';
import type { MergeSettings } from './merge-settings';

interface Discussed {
  _id: number;
  projectId: number;
}

/** Unresolved discussions block merging if the project requires resolution. */
@Injectable()
export class BlockingDiscussions {
  constructor(@InjectModel('Note') private readonly notes: Model<NoteDocument>) {}

  /**
   * @param settingsOf reads the settings of a project
   * @returns the blocked merge requests
   */
  async findBlocked(
    mergeRequests: Discussed[],
    projects: ReadonlyMap<number, ProjectRef>,
    settingsOf: (project: ProjectRef) => Promise<MergeSettings>,
  ): Promise<ReadonlySet<number>> {
    const unresolved = await this.findUnresolved(mergeRequests.map(({ _id }) => _id));
    // Few merge requests have any, so project settings are rarely read.
    const discussed = mergeRequests.filter(({ _id }) => unresolved.has(_id));
    const ids = [...new Set(discussed.map(({ projectId }) => projectId))];
    const isKeeping = async (project: ProjectRef | undefined) =>
      !!project && (await settingsOf(project)).only_allow_merge_if_all_discussions_are_resolved;
    const keeping = await Promise.all(ids.map((id) => isKeeping(projects.get(id))));
    const kept = new Set(ids.filter((_, at) => keeping[at]));
    return new Set(discussed.filter(({ projectId }) => kept.has(projectId)).map(({ _id }) => _id));
  }

  /** @param settings of the target project */
  async isBlocked({ _id }: Pick<Discussed, '_id'>, settings: MergeSettings): Promise<boolean> {
    return settings.only_allow_merge_if_all_discussions_are_resolved && (await this.findUnresolved([_id])).has(_id);
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
