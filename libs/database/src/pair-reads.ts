import type { Model } from 'mongoose';
import { findInTurn } from './find-in-turn';
import { hiddenIn } from './hidden-fields';

interface Asked<T, Owner, Value> {
  values: Map<Owner, Set<Value>>;
  found: Promise<T[]>;
}

/**
 * Reads documents by two fields that an index begins with, such as the project and the number in it, together with all
 * other reads of the same turn of the event loop ({@link findInTurn}). Callers share the documents and must not change
 * them.
 */
export class PairReads<T, Owner extends keyof T & string, Field extends keyof T & string> {
  /** What this turn asked for. */
  private asked: Asked<T, T[Owner], T[Field]> | undefined;

  constructor(
    private readonly model: Model<T>,
    private readonly owner: Owner,
    private readonly field: Field,
    private readonly projection: Record<string, 0> = {},
  ) {}

  /** @returns null if there is none */
  async find(owner: T[Owner], value: T[Field]): Promise<T | null> {
    this.asked ??= this.ask();
    const { values, found } = this.asked;
    const ofOwner = values.get(owner);
    if (ofOwner) ofOwner.add(value);
    else values.set(owner, new Set([value]));
    return (await found).find((each) => each[this.owner] === owner && each[this.field] === value) ?? null;
  }

  private ask(): Asked<T, T[Owner], T[Field]> {
    const values = new Map<T[Owner], Set<T[Field]>>();
    const projection = { ...hiddenIn(this.model), ...this.projection };
    const found = findInTurn(this.model, () => {
      this.asked = undefined;
      return [...values].map(([owner, some]) => ({
        filter: { [this.owner]: owner, [this.field]: { $in: [...some] } },
        projection,
      }));
    });
    return { values, found };
  }
}
