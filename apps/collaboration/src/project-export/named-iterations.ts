import type { NamedIteration } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { Iterations } from '../iteration/iteration.repository';
import type { CadenceDocument, IterationDocument } from '../iteration/iteration.schema';

type Named = z.infer<typeof NamedIteration>;
/** Ids of iterations by name. */
export type IterationIds = (named: Named | null) => number | null;

/**
 * Iterations belong to groups: archives of projects name them, and an import looks them up in the groups above the
 * project.
 */
@Injectable()
export class NamedIterations {
  constructor(private readonly iterations: Iterations) {}

  /** Names of the existing iterations. */
  async nameAll(ids: number[]): Promise<Map<number, Named>> {
    if (ids.length === 0) return new Map();
    const found = await this.iterations.findByIds([...new Set(ids)]);
    const titles = await this.cadenceTitles(found);
    return new Map(found.map((one) => [one._id, nameOf(one, titles)]));
  }

  async findAll(groupIds: number[], wanted: (Named | null)[]): Promise<IterationIds> {
    const startDates = [...new Set(wanted.flatMap((named) => named?.start_date ?? []))];
    if (startDates.length === 0 || groupIds.length === 0) return () => null;
    const found = await this.iterations.model
      .find({ groupId: { $in: groupIds }, startDate: { $in: startDates } }, { days: 0 })
      .lean<IterationDocument[]>();
    const titles = await this.cadenceTitles(found);
    const ids = new Map(found.map((one) => [keyOf(nameOf(one, titles)), one._id]));
    return (named) => (named && ids.get(keyOf(named))) ?? null;
  }

  private async cadenceTitles(found: IterationDocument[]): Promise<Map<number, string>> {
    const ids = [...new Set(found.map(({ cadenceId }) => cadenceId))];
    const cadences = await this.iterations.cadences.find({ _id: { $in: ids } }).lean<CadenceDocument[]>();
    return new Map(cadences.map(({ _id, title }) => [_id, title]));
  }
}

const nameOf = (one: IterationDocument, cadenceTitles: ReadonlyMap<number, string>): Named => ({
  cadence_title: cadenceTitles.get(one.cadenceId) ?? '',
  title: one.title,
  start_date: one.startDate,
  due_date: one.dueDate,
});

const keyOf = ({ cadence_title, title, start_date, due_date }: Named): string =>
  JSON.stringify([cadence_title, title, start_date, due_date]);
