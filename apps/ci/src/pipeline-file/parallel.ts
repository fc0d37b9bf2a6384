import { z } from 'zod';
import type { Variables } from './job-spec';
import { scalar } from './variables-keyword';

/** The suffix and the variables of one copy of a job. */
interface Copy {
  suffix: string;
  variables: Variables;
}

/** Limit of one job in the v4 interface. */
const mostCopies = 200;

type Matrix = Record<string, string[]>[];

const values = z.union([scalar, z.array(scalar).min(1)]).transform((given) => [given].flat().map(String));

/** Counted before its combinations are created. */
export const matrix = z
  .array(z.record(z.string(), values))
  .min(1)
  .max(mostCopies)
  .refine((rows) => countOf(rows) >= 1, 'generates no jobs')
  .refine((rows) => countOf(rows) <= mostCopies, `generates too many jobs (maximum is ${mostCopies})`);

export const parallel = z.union([z.int().min(1).max(mostCopies), z.object({ matrix }).strict()]);

export const numbered = (count: number): Copy[] =>
  Array.from({ length: count }, (_, index) => ({ suffix: ` ${index + 1}/${count}`, variables: {} }));

/** The number of copies of a matrix. */
const countOf = (matrix: Matrix): number =>
  matrix.reduce((sum, row) => sum + Object.values(row).reduce((product, values) => product * values.length, 1), 0);

/** One copy for each combination of the values of a row. */
export const combined = (matrix: Matrix): Copy[] =>
  matrix
    .flatMap((row) =>
      Object.entries(row).reduce<Variables[]>(
        (rows, [key, values]) => rows.flatMap((known) => values.map((value) => ({ ...known, [key]: value }))),
        [{}],
      ),
    )
    .map((variables) => ({ suffix: `: [${Object.values(variables).join(', ')}]`, variables }));

/** Replaces `$[[ matrix.NAME ]]` in a text by the value of its copy. */
export const filledFrom = (variables: Variables, text: string): string =>
  text.replace(/\$\[\[\s*matrix\.(\w+)\s*\]\]/g, (all, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? all) : all,
  );
