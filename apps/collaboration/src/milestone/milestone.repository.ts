import {
  commonErrors,
  type EventInput,
  type EventRecord,
  isError,
  milestoneChanged,
  milestoneDeleted,
  milestoneErrors,
  type Page,
} from '@moothall/contracts';
import {
  Counters,
  changeDocument,
  containing,
  countInTurn,
  findPage,
  isDuplicateKey,
  newEvent,
  Outbox,
  PointReads,
} from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { type OwnerKey, ownerParts } from '../parent/owner';
import { filterUpdated, requireOrder } from './days';
import { afterAllDays, type MilestoneDocument } from './milestone.schema';

export interface MilestoneListInput {
  iids?: number[] | undefined;
  state: 'active' | 'closed' | 'all';
  title?: string | undefined;
  search?: string | undefined;
  updated_before?: string | undefined;
  updated_after?: string | undefined;
  page: number;
  per_page: number;
}

type NewMilestone = Pick<MilestoneDocument, 'owner' | 'title' | 'description' | 'startDate' | 'dueDate'> &
  Partial<Pick<MilestoneDocument, 'iid' | 'state' | 'absorbs' | 'createdAt' | 'updatedAt'>>;
export type MilestoneChange = Partial<
  Pick<MilestoneDocument, 'title' | 'description' | 'startDate' | 'dueDate' | 'state'>
>;

/** Every query on milestones. */
@Injectable()
export class Milestones {
  private readonly byId: PointReads<MilestoneDocument>;

  constructor(
    @InjectModel('Milestone') readonly model: Model<MilestoneDocument>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {
    this.byId = new PointReads(model);
  }

  page(owners: OwnerKey[], input: MilestoneListInput): Promise<Page<MilestoneDocument>> {
    return this.pageOf({ owner: { $in: owners } }, input);
  }

  pageOf(
    where: Pick<QueryFilter<MilestoneDocument>, 'owner'>,
    input: MilestoneListInput,
  ): Promise<Page<MilestoneDocument>> {
    return findPage(this.model, { ...where, ...filterOf(input) }, { dueOrder: 1, _id: 1 }, input);
  }

  /** @throws common.not_found */
  async get(owner: OwnerKey, id: number): Promise<MilestoneDocument> {
    const milestone = await this.model.findOne({ _id: id, owner }).lean<MilestoneDocument>();
    if (!milestone) throw commonErrors.notFound();
    return milestone;
  }

  /** Milestones of the owners by title or id, unordered. */
  async findNamed(
    owners: OwnerKey[],
    { titles, ids }: { titles: string[]; ids: number[] },
  ): Promise<MilestoneDocument[]> {
    const wanted = [
      ...(titles.length > 0 ? [{ title: { $in: titles } }] : []),
      ...(ids.length > 0 ? [{ _id: { $in: ids } }] : []),
    ];
    if (wanted.length === 0) return [];
    return this.model.find({ owner: { $in: owners }, $or: wanted }).lean<MilestoneDocument[]>();
  }

  /** For display: the results are shared and must not be changed. */
  async findByIds(ids: Iterable<number>): Promise<MilestoneDocument[]> {
    return [...(await this.byId.findAll(ids)).values()];
  }

  async findIdsTitled(title: string, owners: OwnerKey[]): Promise<number[]> {
    const found = await this.model.find({ owner: { $in: owners }, title }, { _id: 1 }).lean<{ _id: number }[]>();
    return found.map(({ _id }) => _id);
  }

  /**
   * @param above owners whose titles it must not repeat
   * @param userId creator; absent for one that an import or a transfer creates
   * @throws milestone.title_taken; common.invalid_record
   */
  async add(milestone: NewMilestone, above: OwnerKey[], userId?: number): Promise<MilestoneDocument> {
    requireOrder(milestone);
    await this.requireFreeTitle(milestone.title, above);
    const [_id, iid] = await Promise.all([
      this.counters.next('milestones'),
      milestone.iid ?? this.counters.next(`milestones/${milestone.owner}`),
    ]);
    const document = { state: 'active' as const, ...milestone, _id, iid, dueOrder: milestone.dueDate ?? afterAllDays };
    const events = userId === undefined ? [] : [changeOf('create', document, userId)];
    return this.outbox.insert(this.model, document, ...events).catch(asTitleTaken);
  }

  /** The nearest milestone of the same title, else a copy, created for `owner`. */
  async findOrMakeTitled(
    { title, description, startDate, dueDate, state }: MilestoneDocument,
    { owner, owners }: { owner: OwnerKey; owners: OwnerKey[] },
  ): Promise<MilestoneDocument> {
    for (;;) {
      const found = await this.model.find({ owner: { $in: owners }, title }).lean<MilestoneDocument[]>();
      const [nearest] = found.sort((a, b) => owners.indexOf(a.owner) - owners.indexOf(b.owner));
      if (nearest) return nearest;
      const like = { owner, title, description, startDate, dueDate, state };
      const made = await this.add(like, []).catch((error: unknown) => {
        // A concurrent request created it.
        if (!isError(error, milestoneErrors.titleTaken)) throw error;
      });
      if (made) return made;
    }
  }

  /** @throws milestone.title_taken; common.invalid_record; common.not_found if it was deleted meanwhile */
  async change(
    found: MilestoneDocument,
    change: MilestoneChange,
    above: OwnerKey[],
    userId: number,
  ): Promise<MilestoneDocument> {
    if (change.title !== undefined && change.title !== found.title) await this.requireFreeTitle(change.title, above);
    const changed = await changeDocument(
      this.model,
      { _id: found._id },
      ['startDate', 'dueDate', 'state'],
      (current) => {
        const { startDate, dueDate }: MilestoneDocument = { ...current, ...change };
        requireOrder({ startDate, dueDate });
        return { $set: { ...change, dueOrder: dueDate ?? afterAllDays } };
      },
      (unchanged, update, current) => {
        const after = { ...current, ...change };
        return this.outbox.update(this.model, unchanged, update, changeOf(actionOf(current, after), after, userId));
      },
    ).catch(asTitleTaken);
    if (!changed) throw commonErrors.notFound();
    return changed;
  }

  /** The event removes it from its records. */
  async remove({ _id }: MilestoneDocument): Promise<void> {
    await this.outbox.remove(this.model, _id, newEvent(milestoneDeleted, { milestone_id: _id }));
  }

  private async requireFreeTitle(title: string, above: OwnerKey[]): Promise<void> {
    const taken = await countInTurn(this.model, { owner: { $in: above }, title }, 1);
    if (taken > 0) throw milestoneErrors.titleTaken();
  }
}

function filterOf(input: MilestoneListInput): QueryFilter<MilestoneDocument> {
  const part = input.search ? containing(input.search) : undefined;
  return {
    ...(input.iids && { iid: { $in: input.iids } }),
    ...(input.state !== 'all' && { state: input.state }),
    ...(input.title !== undefined && { title: input.title }),
    ...(part && { $or: [{ title: part }, { description: part }] }),
    ...filterUpdated(input),
  };
}

function asTitleTaken(error: unknown): never {
  throw isDuplicateKey(error, 'title') ? milestoneErrors.titleTaken() : error;
}

function actionOf(before: MilestoneDocument, after: MilestoneDocument) {
  if (before.state === after.state) return 'update';
  return after.state === 'closed' ? 'close' : 'reopen';
}

type ChangedMilestone = Pick<MilestoneDocument, '_id' | 'iid' | 'owner' | 'title' | 'state'>;

function changeOf(
  action: EventInput<typeof milestoneChanged>['action'],
  milestone: ChangedMilestone,
  userId: number,
): EventRecord {
  const { _id: id, iid, owner, title, state } = milestone;
  const place = ownerParts(owner);
  return newEvent(milestoneChanged, {
    action,
    user_id: userId,
    milestone: {
      id,
      iid,
      project_id: place.kind === 'project' ? place.id : null,
      group_id: place.kind === 'group' ? place.id : null,
      title,
      state,
    },
  });
}
