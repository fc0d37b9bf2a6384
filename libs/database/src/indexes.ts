import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, IndexDefinition, IndexOptions, Model, mongo } from 'mongoose';

/** An index that its collection was to have and has not. */
export interface MissingIndex {
  collection: string;
  key: string;
  reason: string;
}

/**
 * Builds the indexes of a service before it answers. Without a unique index duplicates could be written, so the
 * service does not start. Without another index it is slow, which its log and metrics report.
 */
@Injectable()
export class Indexes implements OnModuleInit {
  private readonly log = new Logger(Indexes.name);
  readonly missing: MissingIndex[] = [];

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @throws Error that names a unique index that cannot be built, and why */
  async onModuleInit(): Promise<void> {
    // All of them end before the first failure is thrown, because the caller then closes the connection.
    const built = await Promise.allSettled(Object.values(this.connection.models).map((model) => this.build(model)));
    for (const one of built) if (one.status === 'rejected') throw one.reason;
  }

  private async build(model: Model<unknown>): Promise<void> {
    const indexes = model.schema.indexes();
    if (indexes.length === 0 || (await buildAll(model, indexes))) return;
    for (const [key, options] of indexes) await this.buildOne(model, key, options);
  }

  private async buildOne(model: Model<unknown>, key: IndexDefinition, options: IndexOptions): Promise<void> {
    const { collection } = model;
    try {
      await createIndex(collection, key, options);
    } catch (error) {
      const index = `${options.unique ? 'unique ' : ''}index ${JSON.stringify(key)} of ${collection.collectionName}`;
      if (options.unique) throw new Error(`the ${index} cannot be built: ${error}`);
      this.log.error(`the ${index} cannot be built, and what needs it is slow: ${error}`);
      this.missing.push({ collection: collection.collectionName, key: JSON.stringify(key), reason: String(error) });
    }
  }
}

/**
 * In one command, which nearly always succeeds. @returns false if some cannot be built; single builds find out which
 */
async function buildAll({ collection }: Model<unknown>, indexes: [IndexDefinition, IndexOptions][]): Promise<boolean> {
  const specifications = indexes.map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  return collection.createIndexes(specifications).then(
    () => true,
    () => false,
  );
}

const optionsConflict: unknown = 85;
const specsConflict: unknown = 86;

/** An index that an earlier version built differently is replaced; its name follows from its key. */
async function createIndex(
  collection: Model<unknown>['collection'],
  key: IndexDefinition,
  options: IndexOptions,
): Promise<void> {
  const create = () => collection.createIndex(key as mongo.IndexSpecification, options as mongo.CreateIndexesOptions);
  try {
    await create();
  } catch (error) {
    if (![optionsConflict, specsConflict].includes((error as { code?: unknown }).code)) throw error;
    const name = Object.entries(key).flat().join('_');
    await collection.dropIndex(options.name ?? name);
    await create();
  }
}
