import type { Model } from 'mongoose';
import { findInTurn, type Query } from './find-in-turn';
import { hiddenIn } from './hidden-fields';

/** A query has no more values than that. */
const mostValues = 1000;

interface Options {
  /** Further conditions of the documents. */
  filter?: object;
  projection?: Record<string, 0 | 1>;
}

interface Asked<T, Value> {
  values: Set<Value>;
  found: Promise<ReadonlyMap<Value, T[]>>;
}

/**
 * Reads documents by the value of an indexed field, together with all other reads of the same turn of the event loop
 * ({@link findInTurn}). Callers share the documents and must not change them.
 */
export class FieldReads<T, Field extends keyof T & string> {
  private readonly projection: Record<string, 0 | 1>;
  /** What this turn asked for. */
  private asked: Asked<T, T[Field]> | undefined;

  constructor(
    private readonly model: Model<T>,
    private readonly field: Field,
    private readonly options: Options = {},
  ) {
    this.projection = options.projection ?? hiddenIn(model);
  }

  /** Documents by value, in any order; values without documents are omitted. */
  async findAll(values: Iterable<T[Field]>): Promise<ReadonlyMap<T[Field], readonly T[]>> {
    const wanted = new Set(values);
    if (wanted.size === 0) return new Map();
    const found = await this.read(wanted);
    return new Map([...wanted].flatMap((value) => entryOf(found, value)));
  }

  /** Documents with one value. */
  async find(value: T[Field]): Promise<readonly T[]> {
    return (await this.read([value])).get(value) ?? [];
  }

  private read(values: Iterable<T[Field]>): Promise<ReadonlyMap<T[Field], T[]>> {
    this.asked ??= this.ask();
    for (const value of values) this.asked.values.add(value);
    return this.asked.found;
  }

  private ask(): Asked<T, T[Field]> {
    const values = new Set<T[Field]>();
    const documents = findInTurn(this.model, () => {
      this.asked = undefined;
      return this.queriesFor([...values]);
    });
    return { values, found: documents.then((found) => this.byValue(found)) };
  }

  private queriesFor(values: T[Field][]): Query[] {
    const { projection } = this;
    return Array.from({ length: Math.ceil(values.length / mostValues) }, (_, at) => {
      const some = values.slice(at * mostValues, (at + 1) * mostValues);
      return { filter: { ...this.options.filter, [this.field]: { $in: some } }, projection };
    });
  }

  private byValue(documents: T[]): ReadonlyMap<T[Field], T[]> {
    const found = new Map<T[Field], T[]>();
    for (const document of documents) {
      const value = document[this.field];
      const others = found.get(value);
      if (others) others.push(document);
      else found.set(value, [document]);
    }
    return found;
  }
}

function entryOf<K, V>(found: ReadonlyMap<K, V>, key: K): [K, V][] {
  const value = found.get(key);
  return value === undefined ? [] : [[key, value]];
}
