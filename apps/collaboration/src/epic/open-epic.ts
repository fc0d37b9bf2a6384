import type { Caller, GroupRef } from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import { newIssuable } from '../issuable/issuable';
import type { EpicDocument } from './epic.schema';
import { EpicKind } from './epic-kind';

type Facts = Partial<EpicDocument> & Pick<EpicDocument, 'title'>;

/** Creates epics. */
@Injectable()
export class OpenEpic {
  constructor(
    private readonly kind: EpicKind,
    private readonly changes: ChangeIssuable,
    private readonly counters: Counters,
  ) {}

  async open(group: GroupRef, caller: Caller, { title, ...facts }: Facts, at = new Date()): Promise<EpicDocument> {
    const [_id, iid] = await Promise.all([this.counters.next('epics'), this.counters.next(`epics/group/${group.id}`)]);
    return this.changes.open(this.kind, {
      ...newIssuable(at),
      _id,
      iid,
      groupId: group.id,
      title: title.trim(),
      description: null,
      authorId: caller.id,
      confidential: false,
      labelIds: [],
      parentId: null,
      startDateFixed: null,
      startDateIsFixed: false,
      dueDateFixed: null,
      dueDateIsFixed: false,
      ...facts,
    });
  }
}
