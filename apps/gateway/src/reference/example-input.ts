import type { Operation } from '@moothall/contracts';
import { exampleOf, type Schema } from './example-of';

/** Optional fields that show what an operation is about. */
const informative = ['title', 'name', 'description', 'body', 'content', 'ref', 'branch', 'labels'];

/** An example input that the contract accepts: the required fields, and the most instructive optional ones. */
export function exampleInput(operation: Operation, input: Schema): Record<string, unknown> {
  const properties = Object.entries(input.properties ?? {}).filter(([, schema]) => !isFile(schema));
  const example = Object.fromEntries(
    properties.map(([name, schema]) => [name, exampleOf(schema, name, resourceOf(operation))]),
  );
  const needed = (input.required ?? []).filter((name) => name in example);
  const optional = properties.map(([name]) => name).filter((name) => !needed.includes(name));
  const tries = [
    [...needed, ...optional.filter((name) => informative.includes(name))],
    needed,
    ...optional.map((name) => [...needed, name]),
    ...optional.flatMap((name) => optional.map((other) => [...needed, name, other])),
  ];
  const pick = (names: string[]) => Object.fromEntries(names.map((name) => [name, example[name]]));
  const files = Object.fromEntries(
    Object.entries(input.properties ?? {}).flatMap(([name, schema]) =>
      isFile(schema) ? [[name, { ticket: '' }]] : [],
    ),
  );
  const fit = tries.find((names) => operation.input.safeParse({ ...files, ...pick(names) }).success);
  return pick(fit ?? needed);
}

/** `ssh-keys` of `identity.ssh-keys.add`. */
export const resourceOf = ({ name }: Operation): string => name.split('.')[1] ?? '';

export const isFile = (schema: Schema): boolean =>
  schema.file !== undefined || ((schema.anyOf as Schema[] | undefined)?.some(isFile) ?? false);
