import type { Model, QueryFilter, UpdateQuery } from 'mongoose';

/** The default write of {@link changeDocument}. @returns the document after it, null if none matched */
type Write<T> = (unchanged: QueryFilter<T>, update: UpdateQuery<T>, current: T) => Promise<T | null>;

/*
 * An update names what it sets, and nothing else: two of them at once then both count. Where what is to be set follows
 * from what is there, it goes this way.
 */

/**
 * Changes a document by what it holds now: works the update out of it, and writes that only while the fields it was worked
 * from are unchanged; otherwise it is computed again.
 * @param basedOn the fields that `updateOf` looks at
 * @param updateOf undefined where nothing is to be changed; what it throws is thrown
 * @returns the document after it, null when there is none
 */
export function changeDocument<T extends { _id: unknown }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  basedOn: readonly (keyof T & string)[],
  updateOf: (current: T) => UpdateQuery<T> | undefined | Promise<UpdateQuery<T> | undefined>,
  write: Write<T> = (unchanged, update) =>
    model.findOneAndUpdate(unchanged, update, { returnDocument: 'after' }).lean<T>().exec() as Promise<T | null>,
): Promise<T | null> {
  return inTurn(`${model.collection.name} ${JSON.stringify(filter)}`, () =>
    changeAlone(model, filter, basedOn, updateOf, write),
  );
}

async function changeAlone<T extends { _id: unknown }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  basedOn: readonly (keyof T & string)[],
  updateOf: (current: T) => UpdateQuery<T> | undefined | Promise<UpdateQuery<T> | undefined>,
  write: Write<T>,
): Promise<T | null> {
  for (;;) {
    const current = (await model.findOne(filter).lean<T>()) as T | null;
    if (!current) return null;
    const update = await updateOf(current);
    if (!update) return current;
    const unchanged = Object.fromEntries(basedOn.map((field) => [field, asRead(current[field])]));
    const changed = await write({ ...filter, _id: current._id, ...unchanged } as QueryFilter<T>, update, current);
    if (changed) return changed;
  }
}

/** A field that is not there is as good as null. */
const asRead = (value: unknown) => ({ $eq: value ?? null });

const last = new Map<string, Promise<unknown>>();

/** Changes of one document by one process go one after the other: a hundred at once would otherwise all try a hundred times. */
async function inTurn<R>(document: string, work: () => Promise<R>): Promise<R> {
  const before = last.get(document) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(document, mine);
  try {
    return await mine;
  } finally {
    if (last.get(document) === mine) last.delete(document);
  }
}
