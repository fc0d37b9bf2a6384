import type { Connection, mongo } from 'mongoose';
import { mostAtOnce, readOnce } from './read-once';

type Find = (filter?: object, options?: mongo.FindOptions) => mongo.FindCursor;
type Count = (filter?: object, options?: mongo.CountDocumentsOptions) => Promise<number>;
type Overridden = Pick<mongo.Collection, 'find' | 'findOne' | 'countDocuments'>;
/** Options that are fields of a command by the same name. The driver handles all others. */
type Simple = Pick<mongo.FindOptions, 'projection' | 'skip' | 'limit' | 'hint'> & { sort?: Record<string, 1 | -1> };

/**
 * Makes a connection read short results by a command, without the driver's cursor. The cursor parses documents one by
 * one; the reply of a command is parsed at once, which takes less than half the processor time for a page of 20. The
 * driver reads results that do not fit into one reply, and repeats commands that failed.
 */
export function withShortReads(connection: Connection): Connection {
  const { db: database } = connection;
  if (!database) throw new Error('the connection is not open');
  const open = database.collection.bind(database);
  database.collection = (<T extends mongo.Document>(name: string, options?: mongo.CollectionOptions) => {
    const collection = open<T>(name, options);
    return Object.assign(collection, new ShortReads(database, name, collection).methods());
  }) as typeof database.collection;
  return connection;
}

class ShortReads {
  private readonly find: Find;
  private readonly count: Count;

  constructor(
    private readonly database: mongo.Db,
    private readonly name: string,
    collection: Overridden,
  ) {
    this.find = collection.find.bind(collection) as Find;
    this.count = collection.countDocuments.bind(collection) as Count;
  }

  methods(): Overridden {
    const find: Find = (filter = {}, options = {}) =>
      isSimple(options) ? this.cursor(filter, options) : this.find(filter, options);
    const findOne = async (filter?: object, options?: mongo.FindOptions) => {
      const [found = null] = await find(filter, { ...options, limit: 1 }).toArray();
      return found;
    };
    const countDocuments: Count = (filter = {}, options = {}) => this.countOnce(filter, options);
    return { find, findOne, countDocuments } as Overridden;
  }

  /** A cursor of the driver, which is not created if only its array is asked for. */
  private cursor(filter: object, options: Simple): mongo.FindCursor {
    let cursor: mongo.FindCursor | undefined;
    const real = () => {
      cursor ??= this.find(filter, options);
      return cursor;
    };
    const toArray = async () => (cursor ? undefined : await this.readOnce(filter, options)) ?? real().toArray();
    return new Proxy({} as mongo.FindCursor, {
      get(_, name) {
        if (name === 'toArray') return toArray;
        // Awaiting the cursor asks whether it is a promise.
        if (name === 'then') return undefined;
        const value = Reflect.get(real(), name, real());
        return typeof value === 'function' ? value.bind(real()) : value;
      },
    });
  }

  private async readOnce(filter: object, options: Simple): Promise<mongo.Document[] | undefined> {
    const limit = options.limit || mostAtOnce + 1;
    // With a batch of the same size, the server would keep the cursor open.
    const found = await this.run({ find: this.name, filter, ...given(options), limit, batchSize: limit + 1 });
    return found && found.length <= mostAtOnce ? found : undefined;
  }

  private async countOnce(filter: object, options: mongo.CountDocumentsOptions): Promise<number> {
    if (!isSimple(options)) return this.count(filter, options);
    const { skip, limit, hint } = options;
    const pipeline = [
      { $match: filter },
      ...(skip === undefined ? [] : [{ $skip: skip }]),
      ...(limit === undefined ? [] : [{ $limit: limit }]),
      { $group: { _id: 1, n: { $sum: 1 } } },
    ];
    const found = await this.run({ aggregate: this.name, pipeline, cursor: {}, ...given({ hint }) });
    return found ? (found[0]?.n ?? 0) : this.count(filter, options);
  }

  /** @returns undefined if the driver should read it */
  private run(command: object): Promise<mongo.Document[] | undefined> {
    return readOnce(this.database, this.name, command);
  }
}

const simple = new Set(['projection', 'sort', 'skip', 'limit', 'hint']);

function isSimple(options: mongo.FindOptions): options is Simple {
  for (const [name, value] of Object.entries(options)) if (value !== undefined && !simple.has(name)) return false;
  return isWithin(options.limit) && isOrder(options.sort) && !Array.isArray(options.projection);
}

const isWithin = (limit = 0): boolean => limit >= 0 && limit <= mostAtOnce;

function isOrder(sort: mongo.FindOptions['sort'] = {}): sort is Simple['sort'] & object {
  if (typeof sort !== 'object' || Array.isArray(sort) || sort instanceof Map) return false;
  return Object.values(sort).every((direction) => direction === 1 || direction === -1);
}

const given = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
