import { commonErrors, iterationDeleted, iterationErrors, type Page } from '@moothall/contracts';
import { Counters, containing, findPage, isDuplicateKey, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { filterUpdated } from '../milestone/days';
import type { CadenceDocument, IterationDocument } from './iteration.schema';
import { daysOf, filterState, type StateFilter } from './iteration-days';

type Filter = QueryFilter<IterationDocument>;

export interface IterationListInput {
  state: StateFilter;
  search?: string | undefined;
  in?: ('title' | 'cadence_title')[] | undefined;
  updated_before?: string | undefined;
  updated_after?: string | undefined;
  page: number;
  per_page: number;
}

type NewIteration = Pick<
  IterationDocument,
  'groupId' | 'cadenceId' | 'title' | 'description' | 'startDate' | 'dueDate'
>;
type NewCadence = Pick<
  CadenceDocument,
  'groupId' | 'title' | 'description' | 'active' | 'startDate' | 'durationInWeeks'
>;

/** Limits. See docs/api/iterations.md#3. */
const most = { iterationsOfCadence: 1000, cadencesOfGroup: 100, found: 100 };

/** Every query on iterations and their cadences. */
@Injectable()
export class Iterations {
  constructor(
    @InjectModel('Iteration') readonly model: Model<IterationDocument>,
    @InjectModel('IterationCadence') readonly cadences: Model<CadenceDocument>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
  ) {}

  async page(groupIds: number[], input: IterationListInput): Promise<Page<IterationDocument>> {
    const filter: Filter = {
      groupId: { $in: groupIds },
      ...filterState(input.state),
      ...filterUpdated(input),
      ...(await this.filterSearch(groupIds, input)),
    };
    return findPage(this.model, filter, { startDate: 1, _id: 1 }, input);
  }

  /** @throws common.not_found */
  async get(id: number): Promise<IterationDocument> {
    const iteration = await this.model.findById(id, { days: 0 }).lean<IterationDocument>();
    if (!iteration) throw commonErrors.notFound();
    return iteration;
  }

  /** @param iid number within the group @throws common.not_found */
  async getNumbered(groupId: number, iid: number): Promise<IterationDocument> {
    const iteration = await this.model.findOne({ groupId, iid }, { days: 0 }).lean<IterationDocument>();
    if (!iteration) throw commonErrors.notFound();
    return iteration;
  }

  async exists(id: number, groupIds: number[]): Promise<boolean> {
    return (await this.model.exists({ _id: id, groupId: { $in: groupIds } })) !== null;
  }

  /** Iterations of some groups in the order of their days. */
  findOf(groupIds: number[], filter: Filter): Promise<IterationDocument[]> {
    return this.model
      .find({ ...filter, groupId: { $in: groupIds } }, { days: 0 })
      .sort({ startDate: 1, _id: 1 })
      .limit(most.found)
      .lean<IterationDocument[]>();
  }

  /** @param groupIds all groups if absent */
  async findIdsTitled(title: string, groupIds?: number[]): Promise<number[]> {
    const filter: Filter = { title, ...(groupIds && { groupId: { $in: groupIds } }) };
    const found = await this.model.find(filter, { _id: 1 }).lean<{ _id: number }[]>();
    return found.map(({ _id }) => _id);
  }

  findByIds(ids: number[]): Promise<IterationDocument[]> {
    return this.model.find({ _id: { $in: ids } }, { days: 0 }).lean<IterationDocument[]>();
  }

  /** Sequence number of each iteration in its cadence, from 1. */
  async sequences(iterations: Pick<IterationDocument, 'cadenceId'>[]): Promise<Map<number, number>> {
    const cadenceIds = [...new Set(iterations.map(({ cadenceId }) => cadenceId))];
    const all = await this.model
      .find({ cadenceId: { $in: cadenceIds } }, { cadenceId: 1 })
      .sort({ cadenceId: 1, startDate: 1 })
      .lean<Pick<IterationDocument, '_id' | 'cadenceId'>[]>();
    const counts = new Map<number, number>();
    return new Map(
      all.map(({ _id, cadenceId }) => {
        const sequence = (counts.get(cadenceId) ?? 0) + 1;
        counts.set(cadenceId, sequence);
        return [_id, sequence];
      }),
    );
  }

  /** @throws iteration.overlaps, iteration.full; common.invalid_record */
  async add(iteration: NewIteration): Promise<IterationDocument> {
    const { cadenceId, groupId } = iteration;
    const days = daysOf(iteration);
    const count = await this.model.countDocuments({ cadenceId }).limit(most.iterationsOfCadence);
    if (count === most.iterationsOfCadence) throw iterationErrors.full();
    const [_id, iid] = await Promise.all([
      this.counters.next('iterations'),
      this.counters.next(`iterations/group/${groupId}`),
    ]);
    return this.outbox.insert(this.model, { ...iteration, _id, iid, days }).catch((error: unknown) => {
      throw isDuplicateKey(error, 'days') ? iterationErrors.overlaps() : error;
    });
  }

  /** The event removes it from its issues. */
  async remove({ _id }: IterationDocument): Promise<void> {
    await this.outbox.remove(this.model, _id, newEvent(iterationDeleted, { iteration_id: _id }));
  }

  /** @throws iteration.full */
  async addCadence(cadence: NewCadence): Promise<CadenceDocument> {
    const count = await this.cadences.countDocuments({ groupId: cadence.groupId }).limit(most.cadencesOfGroup);
    if (count === most.cadencesOfGroup) throw iterationErrors.full();
    const _id = await this.counters.next('iteration_cadences');
    return (await this.cadences.create({ ...cadence, _id })).toObject();
  }

  /** @throws common.not_found */
  async getCadence(id: number, groupId: number): Promise<CadenceDocument> {
    const cadence = await this.cadences.findOne({ _id: id, groupId }).lean<CadenceDocument>();
    if (!cadence) throw commonErrors.notFound();
    return cadence;
  }

  /** The oldest cadence of a group; created if there is none. */
  async firstCadence(groupId: number, title: string): Promise<CadenceDocument> {
    const oldest = () => this.cadences.findOne({ groupId }).sort({ _id: 1 }).lean<CadenceDocument>();
    const known = await oldest();
    if (known) return known;
    const _id = await this.counters.next('iteration_cadences');
    try {
      return (await this.cadences.create({ _id, groupId, title, isFirst: true })).toObject();
    } catch (error) {
      // A concurrent request was first.
      const theirs = isDuplicateKey(error) ? await oldest() : null;
      if (!theirs) throw error;
      return theirs;
    }
  }

  private async filterSearch(
    groupIds: number[],
    { search, in: fields = ['title'] }: IterationListInput,
  ): Promise<Filter> {
    if (!search) return {};
    const title = containing(search);
    const inCadences = fields.includes('cadence_title')
      ? [{ cadenceId: { $in: await this.cadences.distinct('_id', { groupId: { $in: groupIds }, title }) } }]
      : [];
    return { $or: [...(fields.includes('title') ? [{ title }] : []), ...inCadences] };
  }
}
