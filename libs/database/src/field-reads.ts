import { batched } from '@moothall/background';
import type { Model, mongo } from 'mongoose';
import { collectionOf } from './collection-of';

/** A query has no more values than that. */
const mostValues = 1000;

interface Options {
  /** Further conditions of the documents. */
  filter?: object;
  projection?: Record<string, 0 | 1>;
  /** The order of documents with the same value. */
  sort?: Record<string, 1 | -1>;
}

/**
 * Reads documents by the value of an indexed field. The calls of one turn of the event loop become one query, since
 * under load a database command costs more than its result. Nothing is cached: each turn reads again. Callers share
 * the documents and must not change them.
 */
export class FieldReads<T, Field extends keyof T & string> {
  private readonly projection: Record<string, 0 | 1>;
  private readonly read = batched<T[Field][], Map<T[Field], T[]>>((asked) => this.readTogether(asked));

  constructor(
    private readonly model: Model<T>,
    private readonly field: Field,
    private readonly options: Options = {},
  ) {
    this.projection = options.projection ?? hiddenIn(model);
  }

  /** Documents by value; values without documents are omitted. */
  async findAll(values: Iterable<T[Field]>): Promise<ReadonlyMap<T[Field], readonly T[]>> {
    const wanted = [...new Set(values)];
    return wanted.length === 0 ? new Map() : this.read(wanted);
  }

  /** Documents with one value. */
  async find(value: T[Field]): Promise<readonly T[]> {
    return (await this.read([value])).get(value) ?? [];
  }

  private async readTogether(asked: T[Field][][]): Promise<Map<T[Field], T[]>[]> {
    const wanted = [...new Set(asked.flat())];
    const parts = Array.from({ length: Math.ceil(wanted.length / mostValues) }, (_, at) =>
      this.query(wanted.slice(at * mostValues, (at + 1) * mostValues)),
    );
    const found = new Map<T[Field], T[]>();
    for (const document of (await Promise.all(parts)).flat()) {
      const value = document[this.field];
      const others = found.get(value);
      if (others) others.push(document);
      else found.set(value, [document]);
    }
    return asked.map((values) => new Map(values.flatMap((value) => entryOf(found, value))));
  }

  private query(values: T[Field][]): Promise<T[]> {
    const { filter, sort } = this.options;
    const options: mongo.FindOptions = { projection: this.projection, ...(sort && { sort }) };
    return collectionOf(this.model)
      .find({ ...filter, [this.field]: { $in: values } }, options)
      .toArray();
  }
}

/** Fields that the schema excludes from reads. */
function hiddenIn<T>({ schema }: Model<T>): Record<string, 0> {
  const hidden: Record<string, 0> = {};
  schema.eachPath((path, { options }) => {
    if (options.select === false) hidden[path] = 0;
  });
  return hidden;
}

function entryOf<K, V>(found: ReadonlyMap<K, V>, key: K): [K, V][] {
  const value = found.get(key);
  return value === undefined ? [] : [[key, value]];
}
