import { z } from 'zod';
import type { Variables } from './job-spec';
import { scalar } from './variables-keyword';

/** How one of the copies of a job is called, behind the job's name, and what it finds. */
interface Copy {
  suffix: string;
  variables: Variables;
}

/** Of one job, as the v4 interface has it. */
const mostCopies = 200;

type Matrix = Record<string, string[]>[];

const values = z.union([scalar, z.array(scalar).min(1)]).transform((given) => [given].flat().map(String));

/** Counted before its combinations are made. */
export const matrix = z
  .array(z.record(z.string(), values))
  .min(1)
  .max(mostCopies)
  .refine((rows) => countOf(rows) >= 1, 'generates no jobs')
  .refine((rows) => countOf(rows) <= mostCopies, `generates too many jobs (maximum is ${mostCopies})`);

export const parallel = z.union([z.int().min(1).max(mostCopies), z.object({ matrix }).strict()]);

export const numbered = (count: number): Copy[] =>
  Array.from({ length: count }, (_, index) => ({ suffix: ` ${index + 1}/${count}`, variables: {} }));

/** How many copies a matrix asks for. */
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

/** A text with `$[[ matrix.NAME ]]` replaced by a value of the copy that it stands in. */
export const filledFrom = (variables: Variables, text: string): string =>
  text.replace(/\$\[\[\s*matrix\.(\w+)\s*\]\]/g, (all, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? all) : all,
  );
