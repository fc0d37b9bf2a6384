import { Access, type ContextOf, createEpic, deleteEpic, type ParsedOf, updateEpic } from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import { newIssuable } from '../issuable/issuable';
import { Epics } from './epic.repository';
import type { EpicDocument } from './epic.schema';
import { EpicAttributes } from './epic-attributes';
import { EpicKind } from './epic-kind';
import { EpicViews } from './epic-views';
import { RemoveEpics } from './remove-epics';

const states = { close: 'closed', reopen: 'opened' } as const;

@Controller()
export class WriteEpic {
  constructor(
    private readonly epics: Epics,
    private readonly kind: EpicKind,
    private readonly attributes: EpicAttributes,
    private readonly changes: ChangeIssuable,
    private readonly counters: Counters,
    private readonly views: EpicViews,
    private readonly removal: RemoveEpics,
  ) {}

  @Handles(createEpic)
  async create({ group, caller }: ContextOf<typeof createEpic>, input: ParsedOf<typeof createEpic>) {
    const { labelIds, silent } = await this.attributes.buildPatch(group, input);
    const isOwner = group.accessLevel >= Access.Owner;
    const at = isOwner && input.created_at ? new Date(input.created_at) : new Date();
    const [_id, iid] = await Promise.all([this.counters.next('epics'), this.counters.next(`epics/group/${group.id}`)]);
    const epic: EpicDocument = {
      ...newIssuable(at),
      _id,
      iid,
      groupId: group.id,
      title: input.title.trim(),
      description: input.description ?? null,
      authorId: caller.id,
      confidential: input.confidential ?? false,
      labelIds: labelIds ?? [],
      parentId: null,
      startDateFixed: null,
      startDateIsFixed: false,
      dueDateFixed: null,
      dueDateIsFixed: false,
      ...silent,
    };
    return this.views.viewOne(await this.changes.open(this.kind, epic), caller);
  }

  @Handles(updateEpic)
  async update({ group, caller }: ContextOf<typeof updateEpic>, input: ParsedOf<typeof updateEpic>) {
    const epic = await this.epics.get(group, input.epic_iid, caller);
    const patch = await this.attributes.buildPatch(group, input, epic);
    const state = input.state_event && states[input.state_event];
    const at = group.accessLevel >= Access.Owner && input.updated_at ? new Date(input.updated_at) : undefined;
    const by = { userId: caller.id, at };
    return this.views.viewOne(await this.changes.change(this.kind, epic, () => ({ ...patch, state }), by), caller);
  }

  @Handles(deleteEpic)
  async remove({ group, caller }: ContextOf<typeof deleteEpic>, input: ParsedOf<typeof deleteEpic>) {
    await this.removal.remove(await this.epics.get(group, input.epic_iid, caller));
  }
}
