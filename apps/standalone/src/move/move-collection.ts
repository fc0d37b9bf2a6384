import { isDuplicateKey } from '@moothall/database/commands';
import { insertAsStored } from '@moothall/infrastructure';
import { mongo } from 'mongoose';
import { batchesOf } from './batches';
import { Adding, type Content } from './content';
import { type IndexSpec, indexesOf, makeIndexes, missingOf, removes } from './indexes';
import { MoveError } from './move-error';

/** A collection in source and target. */
export class MovingCollection {
  readonly namespace: string;

  constructor(
    private readonly source: mongo.Db,
    private readonly target: mongo.Db,
    private readonly name: string,
    private readonly options: mongo.Document,
  ) {
    this.namespace = `${source.databaseName}.${name}`;
  }

  /**
   * Copies missing documents.
   * @param changed the error for a document that differs in the target
   * @returns the content of the source
   */
  async copy(changed: () => MoveError): Promise<Content> {
    await this.make();
    const isBegun = (await this.target.collection(this.name).findOne({}, { projection: { _id: 1 } })) !== null;
    const adding = new Adding();
    for await (const batch of batchesOf(documentsOf(this.source, this.name))) {
      for (const document of batch) adding.add(document);
      const absent = isBegun ? await this.absentOf(batch, changed) : batch;
      if (absent.length > 0) await this.insert(absent, changed);
    }
    await makeIndexes(
      this.target,
      this.name,
      (await this.indexes()).filter((index) => !removes(index)),
    );
    return adding.content;
  }

  /** The content of source or target. */
  async read(which: 'source' | 'target'): Promise<Content> {
    const adding = new Adding();
    for await (const document of documentsOf(this[which], this.name)) adding.add(document);
    return adding.content;
  }

  /** Creates all indexes; those by which the target deletes documents come last. @returns how many */
  async finish(): Promise<number> {
    const wanted = await this.indexes();
    await makeIndexes(this.target, this.name, wanted.filter(removes));
    const missing = missingOf(wanted, await indexesOf(this.target, this.name));
    if (missing.length > 0)
      throw new MoveError(`The MongoDB has made indexes of ${this.namespace} otherwise: ${missing.join(', ')}.`);
    return wanted.length;
  }

  private indexes(): Promise<IndexSpec[]> {
    return indexesOf(this.source, this.name);
  }

  private async make(): Promise<void> {
    const isThere = await this.target.listCollections({ name: this.name }, { nameOnly: true }).hasNext();
    if (!isThere) await this.target.command({ create: this.name, ...this.options, writeConcern: { w: 'majority' } });
  }

  private async absentOf(batch: Uint8Array[], changed: () => MoveError): Promise<Uint8Array[]> {
    const ids = batch.map(idOf);
    const filter = { _id: { $in: ids as mongo.ObjectId[] } };
    const there = new Set<string>();
    for await (const document of documentsOf(this.target, this.name, filter)) there.add(keyOf(document));
    const absent = batch.filter((document) => !there.delete(keyOf(document)));
    if (there.size > 0) throw changed();
    return absent;
  }

  private async insert(documents: Uint8Array[], changed: () => MoveError): Promise<void> {
    try {
      await insertAsStored(this.target, this.name, documents);
    } catch (error) {
      throw isDuplicateKey(error) ? changed() : error;
    }
  }
}

/** Every collection of a database. */
export async function collectionsOf(source: mongo.Db, target: mongo.Db) {
  const listed = (await source.listCollections().toArray()) as mongo.CollectionInfo[];
  return listed.map(({ name, options = {}, info }) => ({
    collection: new MovingCollection(source, target, name, options),
    id: info?.uuid ? Buffer.from(info.uuid.buffer).toString('hex') : '',
  }));
}

function documentsOf(database: mongo.Db, name: string, filter: mongo.Filter<mongo.Document> = {}) {
  return database.collection(name).find(filter, { raw: true }) as unknown as AsyncIterable<Uint8Array>;
}

/** The id with its type, for look-ups. */
function idOf(document: Uint8Array): unknown {
  return mongo.BSON.deserialize(document, { promoteValues: false, bsonRegExp: true })._id;
}

const keyOf = (document: Uint8Array): string => Buffer.from(document).toString('latin1');
