import { batched } from '@moothall/background';
import { invalidRecord, labelDeleted, labelErrors, type Page, present } from '@moothall/contracts';
import { Counters, containing, findPage, isDuplicateKey, newEvent, Outbox, PointReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { OwnerKey } from '../parent/owner';
import type { LabelDocument } from './label.schema';
import { defaultLabelColor } from './label-color';

type NewLabel = Pick<LabelDocument, 'owner' | 'title' | 'color'> &
  Partial<Pick<LabelDocument, 'description' | 'priorities' | 'absorbs' | 'subscriberIds'>>;

/** A name to look up among labels of some owners; the owners are joined by commas. */
interface Name {
  title: string;
  owners: string;
}

const anybody = '';

/** Every query on labels. */
@Injectable()
export class Labels {
  private readonly names = batched<Name, number[]>((names) => this.findIdsOf(names));
  private readonly byId: PointReads<LabelDocument>;

  constructor(
    @InjectModel('Label') readonly model: Model<LabelDocument>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {
    this.byId = new PointReads(model);
  }

  findPage(
    owners: OwnerKey[],
    search: string | undefined,
    input: { page: number; per_page: number },
  ): Promise<Page<LabelDocument>> {
    const filter = { owner: { $in: owners }, ...(search && { title: containing(search) }) };
    return findPage(this.model, filter, { title: 1, _id: 1 }, input);
  }

  /** By id or name; for several of the same name, that of the first owner. @throws label.not_found */
  async get(owners: OwnerKey[], reference: string): Promise<LabelDocument> {
    const chosen: QueryFilter<LabelDocument>[] = [{ title: reference }];
    if (/^\d{1,15}$/.test(reference)) chosen.push({ _id: Number(reference) });
    const found = await this.model.find({ owner: { $in: owners }, $or: chosen }).lean<LabelDocument[]>();
    const best = found.sort((a, b) => rank(a, owners, reference) - rank(b, owners, reference))[0];
    if (!best) throw labelErrors.notFound();
    return best;
  }

  /** The labels that exist; the result is shared and must not be changed. */
  findByIds(ids: Iterable<number>): Promise<Map<number, LabelDocument>> {
    return this.byId.findAll(ids);
  }

  /** Ids of labels by name, of the given owners or of any. Concurrent calls share one query. */
  findIdsNamed(title: string, owners?: OwnerKey[]): Promise<number[]> {
    return this.names({ title, owners: owners?.join() ?? anybody });
  }

  private async findIdsOf(names: Name[]): Promise<number[][]> {
    const titles = new Map<string, Set<string>>();
    for (const { title, owners } of names) titles.set(owners, (titles.get(owners) ?? new Set()).add(title));
    const found = await Promise.all([...titles].map(([owners, wanted]) => this.findIdsByTitle(owners, [...wanted])));
    const byOwners = new Map([...titles.keys()].map((owners, at) => [owners, found[at]]));
    return names.map(({ title, owners }) => byOwners.get(owners)?.get(title) ?? []);
  }

  private async findIdsByTitle(owners: string, titles: string[]): Promise<Map<string, number[]>> {
    const filter = { title: { $in: titles }, ...(owners !== anybody && { owner: { $in: owners.split(',') } }) };
    const labels = this.model.collection.find<LabelDocument>(filter, { projection: { title: 1 } });
    const ids = new Map<string, number[]>();
    for (const { _id, title } of await labels.toArray()) ids.set(title, [...(ids.get(title) ?? []), _id]);
    return ids;
  }

  /** Labels by name as a project or group uses them: the nearest owner wins; unknown names are left out. */
  async findNamed(titles: string[], owners: OwnerKey[]): Promise<LabelDocument[]> {
    if (titles.length === 0) return [];
    const found = await this.model.find({ owner: { $in: owners }, title: { $in: titles } }).lean<LabelDocument[]>();
    found.sort((a, b) => owners.indexOf(a.owner) - owners.indexOf(b.owner));
    const nearest = new Map<string, LabelDocument>();
    for (const label of found) if (!nearest.has(label.title)) nearest.set(label.title, label);
    return [...nearest.values()];
  }

  /**
   * The same for names that a user wrote; missing labels are created at the nearest owner.
   * @throws common.invalid_record for a name that is too long
   */
  async findOrMakeIds(titles: string[], owners: OwnerKey[]): Promise<number[]> {
    const wanted = [...new Set(titles.map((title) => title.trim()).filter((title) => title !== ''))];
    if (wanted.some((title) => title.length > 255))
      throw invalidRecord({ labels: ['is too long (maximum is 255 characters)'] });
    const labels = await this.findNamed(wanted, owners);
    const known = new Set(labels.map(({ title }) => title));
    const nearest = present(owners[0], 'an owner of labels');
    for (const title of wanted.filter((one) => !known.has(one))) {
      labels.push(await this.addOrGet({ owner: nearest, title, color: defaultLabelColor }));
    }
    return labels.map(({ _id }) => _id);
  }

  /** @throws label.exists */
  async add(label: NewLabel): Promise<LabelDocument> {
    const _id = await this.counters.next('labels');
    const document = { description: null, priorities: [], subscriberIds: [], ...label, _id };
    return this.outbox.insert(this.model, document).catch((error: unknown) => {
      throw isDuplicateKey(error) ? labelErrors.exists() : error;
    });
  }

  /** The owner's label of that name; created if there is none. */
  async addOrGet(label: NewLabel): Promise<LabelDocument> {
    try {
      return await this.add(label);
    } catch (error) {
      const other = await this.model.findOne({ owner: label.owner, title: label.title }).lean<LabelDocument>();
      if (!other) throw error;
      return other;
    }
  }

  /** @throws label.exists; label.not_found if it was deleted meanwhile */
  async change(id: number, update: UpdateQuery<LabelDocument>): Promise<LabelDocument> {
    const changed = await this.outbox.update(this.model, { _id: id }, update).catch((error: unknown) => {
      throw isDuplicateKey(error) ? labelErrors.exists() : error;
    });
    if (!changed) throw labelErrors.notFound();
    return changed;
  }

  /** Sets its priority in a project. @throws label.not_found */
  async prioritize(_id: number, projectId: number, priority: number | null): Promise<LabelDocument> {
    const own = { 'priorities.projectId': projectId };
    if (priority === null) return this.change(_id, { $pull: { priorities: { projectId } } });
    const set = { $set: { 'priorities.$.priority': priority } };
    const push = { $push: { priorities: { projectId, priority } } };
    for (;;) {
      const changed =
        (await this.outbox.update(this.model, { _id, ...own }, set)) ??
        (await this.outbox.update(this.model, { _id, 'priorities.projectId': { $ne: projectId } }, push));
      if (changed) return changed;
      if (!(await this.model.exists({ _id }))) throw labelErrors.notFound();
    }
  }

  /** Removes the priorities that labels of groups have in a deleted project. */
  async forgetProject(projectId: number): Promise<void> {
    await this.model.updateMany({ 'priorities.projectId': projectId }, { $pull: { priorities: { projectId } } });
  }

  /** The event removes it from the records that refer to it. */
  async remove(label: LabelDocument): Promise<void> {
    await this.outbox.remove(this.model, label._id, newEvent(labelDeleted, { label_id: label._id }));
  }
}

/** A matching id wins over a numeric name; among names the nearest owner wins. */
const rank = (label: LabelDocument, owners: OwnerKey[], reference: string): number =>
  String(label._id) === reference ? -1 : owners.indexOf(label.owner);
