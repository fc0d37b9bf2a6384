import {
  type ContextOf,
  type OutputOf,
  operationsOf,
  type ParsedOf,
  present,
  type resealIdentity,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller, type DynamicModule, Inject, Injectable, Module, type Type } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model, Schema } from 'mongoose';
import { collectionOf } from './collection-of';

/** How fields were encrypted, if they are encrypted again. */
export interface Seal {
  /** Of the key that encrypts. */
  keyName: string;
  /** @returns undefined if it is already encrypted with that key @throws if no key decrypts it */
  reseal(sealed: string): string | undefined;
}

const sealToken = Symbol('seal');

/** Mongoose plugin: the encrypted fields, such as `variables.sealed`. If a field is an object, all its values. */
export function sealedFields(schema: Schema, fields: readonly string[]): void {
  schema.static('sealedFields', () => fields);
}

/** @returns an empty list for the schema of a collection without encrypted fields */
export const sealedFieldsOf = ({ statics }: Schema): readonly string[] =>
  (statics.sealedFields as (() => readonly string[]) | undefined)?.() ?? [];

type Resealing = typeof resealIdentity;

/** Documents read at a time; an answer takes far less than any timeout. */
const mostDocuments = 500;
/** Documents written at a time, since others write too. */
const mostAtOnce = 50;

interface SealedField {
  path: string;
  sealed: string;
}

/** The encrypted fields of a service, in all its collections. */
@Injectable()
export class SealedFields {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @Inject(sealToken) private readonly seal: Seal,
  ) {}

  async reseal({ after, only_count }: ParsedOf<Resealing>): Promise<OutputOf<Resealing>> {
    const counts: Counts = { seen: 0, outdated: 0, resealed: 0, unreadable: [] };
    const [from, behind]: Cursor = after === undefined ? ['', null] : JSON.parse(after);
    const [model, next] = this.models().filter(({ collection }) => collection.name >= from);
    const documents = model ? await read(model, behind) : [];
    for (let at = 0; at < documents.length; at += mostAtOnce) {
      const some = documents.slice(at, at + mostAtOnce);
      await Promise.all(some.map((one) => this.resealOne(present(model, 'a collection'), one, only_count, counts)));
    }
    const isWhole = documents.length < mostDocuments;
    const on: Cursor | undefined = isWhole
      ? next && [next.collection.name, null]
      : [present(model, 'a collection').collection.name, documents.at(-1)?._id];
    return { key_name: this.seal.keyName, ...counts, after: on === undefined ? null : JSON.stringify(on) };
  }

  private models(): Model<unknown>[] {
    const all = Object.values(this.connection.models).filter(({ schema }) => sealedFieldsOf(schema).length > 0);
    return all.sort((a, b) => (a.collection.name < b.collection.name ? -1 : 1));
  }

  private async resealOne(model: Model<unknown>, document: Kept, onlyCount: boolean, counts: Counts): Promise<void> {
    const unchanged: Record<string, string> = {};
    const changes: Record<string, string> = {};
    for (const { path, sealed } of sealedIn(document, sealedFieldsOf(model.schema))) {
      counts.seen++;
      const resealed = this.resealed(sealed);
      if (resealed === null) counts.unreadable.push(`${model.collection.name} ${document._id} ${path}`);
      if (!resealed) continue;
      counts.outdated++;
      unchanged[path] = sealed;
      changes[path] = resealed;
    }
    const count = Object.keys(changes).length;
    if (count === 0 || onlyCount) return;
    // No two seals are equal: a field that was changed, or moved in its list, is not overwritten.
    const filter = { _id: document._id, ...unchanged };
    // A concurrent writer that read the old revision starts again, because it would restore the old seals.
    const revised = model.schema.path('revision') && { $inc: { revision: 1 } };
    const { matchedCount } = await collectionOf(model).updateOne(filter, { $set: changes, ...revised });
    if (matchedCount > 0) counts.resealed += count;
  }

  /** @returns undefined if nothing has to be done, null if no key decrypts it */
  private resealed(sealed: string): string | undefined | null {
    try {
      return this.seal.reseal(sealed);
    } catch {
      return null;
    }
  }
}

interface Kept {
  _id: unknown;
}

/** Where to continue: the collection, and the id after which. */
type Cursor = [collection: string, behind: unknown];

interface Counts {
  seen: number;
  outdated: number;
  resealed: number;
  unreadable: string[];
}

const read = (model: Model<unknown>, behind: unknown): Promise<Kept[]> =>
  collectionOf(model as Model<Kept>)
    .find(behind === null ? {} : { _id: { $gt: behind } }, {
      projection: Object.fromEntries(sealedFieldsOf(model.schema).map((field) => [field, 1])),
      sort: { _id: 1 },
      limit: mostDocuments,
    })
    .toArray();

const sealedIn = (document: Kept, fields: readonly string[]): SealedField[] =>
  fields.flatMap((field) => sealedBelow(document, field.split('.'), []));

function sealedBelow(value: unknown, [field, ...rest]: readonly string[], path: readonly string[]): SealedField[] {
  if (typeof value === 'string') return field === undefined ? [{ path: path.join('.'), sealed: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isList) return sealedBelow(inner, field === undefined ? [] : [field, ...rest], [...path, name]);
    return field === undefined || field === name ? sealedBelow(inner, rest, [...path, name]) : [];
  });
}

/** Answers the operation that encrypts the fields of a service again, if it has any. */
@Module({})
export class SealedFieldsModule {
  static forService(service: string, seal: Seal): DynamicModule {
    const operation = operationsOf(service).find(({ name }) => name === `${service}.sealed-fields.reseal`);
    return {
      module: SealedFieldsModule,
      controllers: operation ? [controllerOf(operation as Resealing)] : [],
      providers: [SealedFields, { provide: sealToken, useValue: seal }],
    };
  }
}

/** Nest stores the subject with the method: each service of a process needs its own class. */
function controllerOf(operation: Resealing): Type {
  @Controller()
  class SealedFieldsOperations {
    constructor(private readonly fields: SealedFields) {}

    @Handles(operation)
    reseal(_context: ContextOf<Resealing>, input: ParsedOf<Resealing>): Promise<OutputOf<Resealing>> {
      return this.fields.reseal(input);
    }
  }
  return SealedFieldsOperations;
}
