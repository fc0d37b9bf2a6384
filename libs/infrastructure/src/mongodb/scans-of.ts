import { existsSync, readFileSync } from 'node:fs';

/** A kind of query for which the embedded MongoDB read a whole collection. */
export interface CollectionScan {
  /** `<database>.<collection>` */
  namespace: string;
  /** The number of documents. */
  documents: number;
  /** Fields and operators, without values. */
  filter: string;
  sort: string[];
}

/** The recorded scans of databases with this prefix. */
export function scansOf(file: string, prefix: string): CollectionScan[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as CollectionScan)
    .filter(({ namespace }) => namespace.startsWith(prefix));
}
