import { Access, type ContextOf, createEpic, deleteEpic, type ParsedOf, updateEpic } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import { Epics } from './epic.repository';
import { EpicAttributes } from './epic-attributes';
import { refuseParent } from './epic-hierarchy';
import { EpicKind } from './epic-kind';
import { EpicViews } from './epic-views';
import { OpenEpic } from './open-epic';
import { PlaceEpic } from './place-epic';
import { RemoveEpics } from './remove-epics';

const states = { close: 'closed', reopen: 'opened' } as const;

@Controller()
export class WriteEpic {
  constructor(
    private readonly epics: Epics,
    private readonly kind: EpicKind,
    private readonly attributes: EpicAttributes,
    private readonly changes: ChangeIssuable,
    private readonly opening: OpenEpic,
    private readonly placing: PlaceEpic,
    private readonly views: EpicViews,
    private readonly removal: RemoveEpics,
  ) {}

  @Handles(createEpic)
  async create({ group, caller }: ContextOf<typeof createEpic>, input: ParsedOf<typeof createEpic>) {
    const { labelIds, silent } = await this.attributes.buildPatch(group, input);
    const isOwner = group.accessLevel >= Access.Owner;
    const at = isOwner && input.created_at ? new Date(input.created_at) : new Date();
    const facts = {
      title: input.title,
      description: input.description ?? null,
      confidential: input.confidential ?? false,
      labelIds: labelIds ?? [],
      ...silent,
    };
    return this.views.viewOne(await this.opening.open(group, caller, facts, at), caller);
  }

  @Handles(updateEpic)
  async update({ group, caller }: ContextOf<typeof updateEpic>, input: ParsedOf<typeof updateEpic>) {
    const epic = await this.epics.get(group, input.epic_iid, caller);
    const patch = await this.attributes.buildPatch(group, input, epic);
    const state = input.state_event && states[input.state_event];
    const at = group.accessLevel >= Access.Owner && input.updated_at ? new Date(input.updated_at) : undefined;
    const by = { userId: caller.id, at };
    const patchOf = () => ({ ...patch, state });
    const isPlaced = Boolean(input.parent_id) && input.parent_id !== epic.parentId;
    const changed = isPlaced
      ? await this.placing.change(epic, await this.epics.require(input.parent_id ?? 0), patchOf, by).catch(refuseParent)
      : await this.changes.change(this.kind, epic, patchOf, by);
    return this.views.viewOne(changed, caller);
  }

  @Handles(deleteEpic)
  async remove({ group, caller }: ContextOf<typeof deleteEpic>, input: ParsedOf<typeof deleteEpic>) {
    await this.removal.remove(await this.epics.get(group, input.epic_iid, caller));
  }
}
