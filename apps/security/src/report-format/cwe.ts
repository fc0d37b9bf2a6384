import type { ReportedFinding } from './finding';

/** A weakness by its number in the CWE list. */
export const cweNumber = (number: number): ReportedFinding['identifiers'][number] => ({
  type: 'cwe',
  name: `CWE-${number}`,
  value: String(number),
  url: `https://cwe.mitre.org/data/definitions/${number}.html`,
});
