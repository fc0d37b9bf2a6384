import type { Model, Schema } from 'mongoose';

const known = new WeakMap<Schema, Record<string, 0>>();

/** The projection that leaves out what the schema excludes from reads. */
export function hiddenIn<T>({ schema }: Model<T>): Record<string, 0> {
  const found = known.get(schema);
  if (found) return found;
  const hidden: Record<string, 0> = {};
  schema.eachPath((path, { options }) => {
    if (options.select === false) hidden[path] = 0;
  });
  known.set(schema, hidden);
  return hidden;
}
