import { type Caller, type Epic, epicErrors } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isSubscribed } from '../issuable/issuable';
import { Labels } from '../label/label.repository';
import { ParentDirectory } from '../parent/parent-directory';
import { Urls } from '../parent/urls';
import type { EpicDocument } from './epic.schema';
import { viewEpic } from './epic.view';
import { EpicDates } from './epic-dates';

/** Shows epics. It reads all referenced records in one batch per kind. */
@Injectable()
export class EpicViews {
  constructor(
    @InjectModel('Epic') private readonly epics: Model<EpicDocument>,
    private readonly dates: EpicDates,
    private readonly labels: Labels,
    private readonly users: UserDirectory,
    private readonly parents: ParentDirectory,
    private readonly urls: Urls,
  ) {}

  async view(epics: EpicDocument[], withLabelDetails = false): Promise<Epic[]> {
    const parentIds = epics.flatMap(({ parentId }) => parentId ?? []);
    const [groups, users, labels, parents, dates] = await Promise.all([
      this.parents.findGroups(epics.map(({ groupId }) => groupId)),
      this.users.summaries(epics.map(({ authorId }) => authorId)),
      this.labels.findByIds(epics.flatMap(({ labelIds }) => labelIds)),
      this.findParents(parentIds),
      this.dates.findInherited(epics.map(({ _id }) => _id)),
    ]);
    return epics.flatMap((epic) => {
      const group = groups.get(epic.groupId);
      if (!group) return [];
      return [viewEpic(epic, group, { groups, users, labels, parents, dates }, this.urls, withLabelDetails)];
    });
  }

  /** Shows one epic. @throws epic.not_found while its group is being deleted */
  async viewOne(epic: EpicDocument, subscriber?: Caller): Promise<Epic> {
    const [view] = await this.view([epic]);
    if (!view) throw epicErrors.notFound();
    return subscriber ? { ...view, subscribed: isSubscribed(epic, subscriber.id) } : view;
  }

  /** URL of a child of an epic. */
  urlOfChild(parent: EpicDocument, childId: number): string {
    return this.urls.api(`/groups/${parent.groupId}/epics/${parent.iid}/epics/${childId}`);
  }

  private async findParents(ids: number[]): Promise<Map<number, EpicDocument>> {
    if (ids.length === 0) return new Map();
    const found = await this.epics.find({ _id: { $in: ids } }, { iid: 1, groupId: 1 }).lean<EpicDocument[]>();
    return new Map(found.map((epic) => [epic._id, epic]));
  }
}
