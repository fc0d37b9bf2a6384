import type { Page } from '@moothall/contracts';
import { findPage, isDuplicateKey, RecordIds, SharedWrites } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { ActivityDocument, Room } from './activity.schema';

export type NewActivity = Pick<ActivityDocument, 'key' | 'projectId' | 'authorId' | 'action' | 'room' | 'createdAt'> &
  Partial<ActivityDocument>;

/** Every query on activities. */
@Injectable()
export class Activities {
  constructor(
    @InjectModel('Activity') readonly model: Model<ActivityDocument>,
    private readonly ids: RecordIds,
    private readonly shared: SharedWrites,
  ) {}

  /** Each key is stored once. */
  async add(activity: NewActivity): Promise<void> {
    const document: ActivityDocument = { ...blank, ...activity, _id: await this.ids.next('activities') };
    try {
      await this.shared.insert(this.model.collection.collectionName, document);
    } catch (error) {
      if (!isDuplicateKey(error, 'key')) throw error;
    }
  }

  page(
    filter: QueryFilter<ActivityDocument>,
    sort: 'asc' | 'desc',
    input: { page: number; per_page: number },
  ): Promise<Page<ActivityDocument>> {
    const direction = sort === 'asc' ? 1 : -1;
    return findPage(this.model, filter, { createdAt: direction, _id: direction }, input);
  }

  projectsOf(authorId: number): Promise<number[]> {
    return this.model.distinct('projectId', { authorId });
  }

  /** Sets who may see the activities of a confidential issue. */
  async conceal(issueId: number, who: Pick<ActivityDocument, 'confidential' | 'insiderIds'>): Promise<void> {
    await this.shared.updateMany(this.model.collection.collectionName, { room: 'issues', on: issueId }, { $set: who });
  }

  async removeOn(room: Room, on: number): Promise<void> {
    await this.model.deleteMany({ room, on });
  }

  async removeNote(noteId: number): Promise<void> {
    await this.model.deleteMany({ targetType: { $in: ['Note', 'DiscussionNote', 'DiffNote'] }, targetId: noteId });
  }

  async removeMilestone(milestoneId: number): Promise<void> {
    await this.model.deleteMany({ targetType: 'Milestone', targetId: milestoneId });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }

  async removeOfAuthor(authorId: number): Promise<void> {
    await this.model.deleteMany({ authorId });
  }
}

const blank = {
  targetType: null,
  targetId: null,
  targetIid: null,
  targetTitle: null,
  on: null,
  confidential: false,
  isInternal: false,
  insiderIds: [],
  push: null,
  wikiPage: null,
};
