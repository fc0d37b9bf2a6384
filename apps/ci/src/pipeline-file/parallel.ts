import type { Variables } from './job-spec';

/** How one of the copies of a job is called, behind the job's name, and what it finds. */
interface Copy {
  suffix: string;
  variables: Variables;
}

/** Of one job, as the v4 interface has it. */
export const mostCopies = 200;

export type Matrix = Record<string, string[]>[];

export const numbered = (count: number): Copy[] =>
  Array.from({ length: count }, (_, index) => ({ suffix: ` ${index + 1}/${count}`, variables: {} }));

/** How many copies a matrix asks for. */
export const countOf = (matrix: Matrix): number =>
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
