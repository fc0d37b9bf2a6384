import type { ToldFinding } from './finding';

/** A weakness by its number in the common list of them. */
export const cweNumber = (number: number): ToldFinding['identifiers'][number] => ({
  type: 'cwe',
  name: `CWE-${number}`,
  value: String(number),
  url: `https://cwe.mitre.org/data/definitions/${number}.html`,
});
