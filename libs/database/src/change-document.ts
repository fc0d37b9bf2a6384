import type { Model, QueryFilter, UpdateQuery } from 'mongoose';

/** The default write of {@link changeDocument}. @returns the document after it, null if none matched */
type Write<T> = (unchanged: QueryFilter<T>, update: UpdateQuery<T>, current: T) => Promise<T | null>;

/*
 * An update sets only the given fields, so that two concurrent updates both count. Use this function if the new
 * values depend on the stored ones.
 */

/**
 * Changes a document depending on its current state: computes the update, and writes it only if the fields that it is
 * based on are unchanged; otherwise it computes the update again.
 * @param basedOn the fields that `updateOf` reads
 * @param updateOf returns undefined for no change; its errors are passed on
 * @returns the document after it, null if there is none
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

/** A missing field counts as null. */
const asRead = (value: unknown) => ({ $eq: value ?? null });

const last = new Map<string, Promise<unknown>>();

/**
 * Changes of one document by one process run one after the other; otherwise a hundred concurrent ones would each try
 * a hundred times.
 */
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
