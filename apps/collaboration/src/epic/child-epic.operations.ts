import {
  Access,
  assignChildEpic,
  type Caller,
  type ContextOf,
  callerInput,
  childEpicErrors,
  createChildEpic,
  type Epic,
  forbidden,
  type GroupRef,
  isReadable,
  type LinkedEpic,
  listChildEpics,
  moveChildEpic,
  type Page,
  type ParsedOf,
  pageOf,
  removeChildEpic,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import { ParentDirectory } from '../parent/parent-directory';
import { Epics, isHiddenIn } from './epic.repository';
import type { EpicDocument } from './epic.schema';
import { EpicHierarchy } from './epic-hierarchy';
import { EpicKind } from './epic-kind';
import { EpicReferences } from './epic-references';
import { EpicViews } from './epic-views';
import { OpenEpic } from './open-epic';
import { PlaceEpic } from './place-epic';
import { reorder } from './reorder';

interface Paging {
  page: number;
  per_page: number;
}

/** Epics below epics, and their order. See docs/api/epics.md#4. */
@Controller()
export class ChildEpicOperations {
  constructor(
    private readonly epics: Epics,
    private readonly hierarchy: EpicHierarchy,
    private readonly kind: EpicKind,
    private readonly changes: ChangeIssuable,
    private readonly placing: PlaceEpic,
    private readonly opening: OpenEpic,
    private readonly references: EpicReferences,
    private readonly views: EpicViews,
    private readonly parents: ParentDirectory,
  ) {}

  @Handles(listChildEpics)
  async list({ group, caller }: ContextOf<typeof listChildEpics>, input: ParsedOf<typeof listChildEpics>) {
    return this.page(await this.epics.get(group, input.epic_iid, caller), caller, input);
  }

  @Handles(assignChildEpic)
  async assign({ group, caller }: ContextOf<typeof assignChildEpic>, input: ParsedOf<typeof assignChildEpic>) {
    const parent = await this.epics.get(group, input.epic_iid, caller);
    const child = await this.findBelow(group, input.child_epic_id, caller);
    if (child.parentId === parent._id) throw childEpicErrors.taken();
    const place = { parentId: parent._id, parentPosition: await this.hierarchy.nextPosition(parent._id) };
    const by = { userId: caller.id };
    return this.viewLinked(await this.placing.change(child, parent, () => ({ silent: place }), by), parent);
  }

  @Handles(createChildEpic)
  async create({ group, caller }: ContextOf<typeof createChildEpic>, input: ParsedOf<typeof createChildEpic>) {
    const parent = await this.epics.get(group, input.epic_iid, caller);
    await this.hierarchy.requireRoom(parent, undefined);
    const { title, confidential = parent.confidential } = input;
    const place = { parentId: parent._id, parentPosition: await this.hierarchy.nextPosition(parent._id) };
    return this.viewLinked(await this.opening.open(group, caller, { title, confidential, ...place }), parent);
  }

  @Handles(moveChildEpic)
  async move({ group, caller }: ContextOf<typeof moveChildEpic>, input: ParsedOf<typeof moveChildEpic>) {
    const parent = await this.epics.get(group, input.epic_iid, caller);
    const below = await this.hierarchy.listBelow(parent._id);
    const seen = new Set((await this.narrow(below, caller)).map(({ _id }) => _id));
    const named = [input.child_epic_id, input.move_before_id, input.move_after_id];
    if (named.some((id) => id !== undefined && !seen.has(id))) throw childEpicErrors.notFound();
    const move = { ...input, id: input.child_epic_id };
    const at = { parentId: parent._id };
    await reorder(this.epics.model, below, 'parentPosition', move, at, childEpicErrors.notFound);
    return this.page(parent, caller, { page: 1, per_page: 100 });
  }

  @Handles(removeChildEpic)
  async remove({ group, caller }: ContextOf<typeof removeChildEpic>, input: ParsedOf<typeof removeChildEpic>) {
    const parent = await this.epics.get(group, input.epic_iid, caller);
    const child = await this.findBelow(group, input.child_epic_id, caller);
    if (child.parentId !== parent._id) throw childEpicErrors.notFound();
    // A concurrent request may have changed its parent.
    const patchOf = ({ parentId }: EpicDocument): IssuablePatch =>
      parentId === parent._id ? { silent: { parentId: null, parentPosition: null } } : {};
    return this.views.viewOne(await this.changes.change(this.kind, child, patchOf, { userId: caller.id }), caller);
  }

  private async page(parent: EpicDocument, caller: Caller | undefined, input: Paging): Promise<Page<Epic>> {
    const seen = await this.narrow(await this.hierarchy.listBelow(parent._id), caller);
    const { items, total } = pageOf(seen, input);
    return { items: await this.views.view(items), total };
  }

  /** Those that the caller may see. */
  private async narrow(epics: EpicDocument[], caller: Caller | undefined): Promise<EpicDocument[]> {
    const groups = await this.findGroups(epics, caller);
    return epics.filter((epic) => {
      const group = groups.get(epic.groupId);
      return group !== undefined && !isHiddenIn(group, epic, caller);
    });
  }

  /**
   * An epic of the group or of a group below it that the caller may change. @throws child_epic.not_found;
   * common.forbidden
   */
  private async findBelow(group: GroupRef, id: number, caller: Caller): Promise<EpicDocument> {
    const epic = await this.epics.model.findById(id).lean<EpicDocument>();
    if (!epic) throw childEpicErrors.notFound();
    const own = (await this.findGroups([epic], caller)).get(epic.groupId);
    const isHere = own && (own.id === group.id || own.ancestorIds.includes(group.id));
    if (!isHere || isHiddenIn(own, epic, caller)) throw childEpicErrors.notFound();
    if (own.accessLevel < Access.Reporter) throw forbidden();
    return epic;
  }

  /** Groups of the epics that the caller may see. */
  private async findGroups(epics: EpicDocument[], caller: Caller | undefined): Promise<Map<number, GroupRef>> {
    if (epics.length === 0) return new Map();
    const found = await this.parents.readGroups([...new Set(epics.map(({ groupId }) => groupId))], callerInput(caller));
    return new Map(found.filter((one) => isReadable(one, caller)).map((one) => [one.id, one]));
  }

  private async viewLinked(child: EpicDocument, parent: EpicDocument): Promise<LinkedEpic> {
    const [view, hasChildren, hasIssues] = await Promise.all([
      this.views.viewOne(child),
      this.hierarchy.hasChildren(child._id),
      this.references.hasIssues(child._id),
    ]);
    return {
      ...view,
      has_children: hasChildren,
      has_issues: hasIssues,
      url: view.web_url,
      relation_url: this.views.urlOfChild(parent, child._id),
    };
  }
}
