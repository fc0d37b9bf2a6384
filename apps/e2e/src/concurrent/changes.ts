import type { Operation } from '@moothall/contracts';
import { z } from 'zod';

export type Fields = { [name: string]: unknown };

/** One change of a resource, and its reverse. */
export interface Change {
  to: Fields;
  back: Fields;
}

/** The changes of a record by one operation. */
export interface Resource {
  operation: Operation;
  /** The path of the change, and that of a full view. */
  path: string;
  seen: string[];
  /** Changes that cannot be derived from the contract: values of real records, fields that belong together. */
  changes: { [name: string]: Change };
  /** Fields without a change of their own, each with the reason. */
  aside: { [name: string]: string };
}

export const parametersOf = ({ input, routes }: Operation): { [name: string]: z.ZodType } => {
  const shape = input instanceof z.ZodObject ? (input.shape as { [name: string]: z.ZodType }) : {};
  const inPath = routes[0]!.path.split('/');
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !inPath.includes(`:${name}`)));
};

export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** Every change of a resource: the named ones, and one for each other optional field. */
export function changesOf({ operation, changes, aside }: Resource): { [name: string]: Change } {
  const named = new Set(Object.values(changes).flatMap(({ to }) => Object.keys(to)));
  const others = Object.entries(parametersOf(operation))
    .filter(([name, schema]) => isOptional(schema) && !named.has(name) && !(name in aside))
    .map(([name, schema]) => [name, fieldChange(operation, name, schema)] as const);
  return { ...changes, ...Object.fromEntries(others) };
}

const texts = [
  ['first', 'second'],
  ['2031-01-02', '2031-02-03'],
  ['https://example.com/first', 'https://example.com/second'],
  ['#112233', '#445566'],
];

/** Two valid values of the field. */
function fieldChange(operation: Operation, name: string, schema: z.ZodType): Change {
  const takes = (value: unknown) => schema.safeParse(value).success;
  const [back, to] = pairsFor(schema).find((pair) => pair.every(takes)) ?? [];
  if (to === undefined) throw new Error(`${operation.name}: two values of ${name} have to be named`);
  return { to: { [name]: to }, back: { [name]: back } };
}

function pairsFor(schema: z.ZodType): unknown[][] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return pairsFor(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => pairsFor(option as z.ZodType));
  if (schema instanceof z.ZodEnum) return [schema.options.slice(0, 2)];
  if (schema instanceof z.ZodNumber) {
    return [
      [1, 2],
      [10, 20],
      [1000, 2000],
    ];
  }
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodPipe) return [[false, true], ...texts];
  if (schema instanceof z.ZodArray) return pairsFor(schema.element as z.ZodType).map((pair) => [[], [pair[1]]]);
  return texts;
}
