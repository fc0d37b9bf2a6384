import {
  Access,
  type Caller,
  type ContextOf,
  callerInput,
  createEpicLink,
  deleteEpicLink,
  type EpicLink,
  epicLinkErrors,
  forbidden,
  type GroupRef,
  groupErrors,
  isError,
  isReadable,
  listRelatedEpics,
  type Page,
  type ParsedOf,
  pageOf,
  type RelatedEpic,
  resolveGroup,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { EpicLinks } from '../issue-link/epic-link.repository';
import { directed, type LinkDocument, linkFields, otherEnd } from '../issue-link/link.schema';
import { ParentDirectory } from '../parent/parent-directory';
import { Epics, isHiddenIn } from './epic.repository';
import type { EpicDocument } from './epic.schema';
import { EpicViews } from './epic-views';

interface Seen {
  epic: EpicDocument;
  group: GroupRef;
}

/** Links between epics, also of two groups. A user who sees only one end does not see the other. See docs/api/epics.md#3. */
@Controller()
export class EpicLinkOperations {
  constructor(
    private readonly links: EpicLinks,
    private readonly epics: Epics,
    private readonly views: EpicViews,
    private readonly parents: ParentDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(listRelatedEpics)
  async list(
    { group, caller }: ContextOf<typeof listRelatedEpics>,
    input: ParsedOf<typeof listRelatedEpics>,
  ): Promise<Page<RelatedEpic>> {
    const { _id } = await this.epics.get(group, input.epic_iid, caller);
    const links = await this.links.listFor(_id);
    const seen = await this.findSeen(
      caller,
      links.map((link) => otherEnd(link, _id)),
    );
    const { items, total } = pageOf(
      links.filter((link) => seen.has(otherEnd(link, _id))),
      input,
    );
    const views = await this.views.view(items.flatMap((link) => seen.get(otherEnd(link, _id))?.epic ?? []));
    const viewOf = new Map(views.map((view) => [view.id, view]));
    const shown = items.flatMap((link) => {
      const view = viewOf.get(otherEnd(link, _id));
      return view ? [{ ...view, related_epic_link_id: link._id, ...linkFields(link, _id) }] : [];
    });
    return { items: shown, total };
  }

  @Handles(createEpicLink)
  async create({ group, caller }: ContextOf<typeof createEpicLink>, input: ParsedOf<typeof createEpicLink>) {
    const epic = await this.epics.get(group, input.epic_iid, caller);
    const target = await this.findTarget(input, caller);
    if (target._id === epic._id) throw epicLinkErrors.itself();
    return this.view(await this.links.add(directed(epic._id, target._id, input.link_type)), epic, target);
  }

  @Handles(deleteEpicLink)
  async remove({ group, caller }: ContextOf<typeof deleteEpicLink>, input: ParsedOf<typeof deleteEpicLink>) {
    const epic = await this.epics.get(group, input.epic_iid, caller);
    const link = await this.links.get(epic._id, input.related_epic_link_id);
    const otherId = otherEnd(link, epic._id);
    const other = (await this.findSeen(caller, [otherId])).get(otherId);
    if (!other) throw epicLinkErrors.notFound();
    if (other.group.accessLevel < Access.Reporter) throw forbidden();
    const view = await this.view(link, epic, other.epic);
    await this.links.remove(link._id);
    return view;
  }

  /** Epics by id that the caller may see. */
  private async findSeen(caller: Caller | undefined, ids: number[]): Promise<Map<number, Seen>> {
    if (ids.length === 0) return new Map();
    const found = await this.epics.model.find({ _id: { $in: ids } }).lean<EpicDocument[]>();
    const groups = await this.parents.readGroups(
      [...new Set(found.map(({ groupId }) => groupId))],
      callerInput(caller),
    );
    const groupOf = new Map(groups.filter((one) => isReadable(one, caller)).map((one) => [one.id, one]));
    return new Map(
      found.flatMap((epic): [number, Seen][] => {
        const group = groupOf.get(epic.groupId);
        return group && !isHiddenIn(group, epic, caller) ? [[epic._id, { epic, group }]] : [];
      }),
    );
  }

  /** @throws epic_link.no_target */
  private async findTarget(input: ParsedOf<typeof createEpicLink>, caller: Caller): Promise<EpicDocument> {
    const group = await this.findGroup(input.target_group_id, caller);
    if (!group || !isReadable(group, caller) || group.accessLevel < Access.Reporter) throw epicLinkErrors.noTarget();
    const key = { groupId: group.id, iid: input.target_epic_iid };
    const epic = await this.epics.model.findOne(key).lean<EpicDocument>();
    if (!epic) throw epicLinkErrors.noTarget();
    return epic;
  }

  private async findGroup(group: string, caller: Caller): Promise<GroupRef | undefined> {
    return this.client.call(resolveGroup, { group, ...callerInput(caller) }).then(
      (found) => found.group,
      (error: unknown) => {
        if (isError(error, groupErrors.notFound)) return undefined;
        throw error;
      },
    );
  }

  private async view(link: LinkDocument, one: EpicDocument, other: EpicDocument): Promise<EpicLink> {
    const [source, target] = link.sourceId === one._id ? [one, other] : [other, one];
    const [sourceView, targetView] = await this.views.view([source, target]);
    // The group of one end was deleted meanwhile, and the link with it.
    if (!sourceView || !targetView) throw epicLinkErrors.notFound();
    return { id: link._id, source_epic: sourceView, target_epic: targetView, link_type: link.type };
  }
}
