import type { CopiedFile, FileKind } from '@moothall/contracts';

export type FileId = CopiedFile['id'];

/** The files of one kind that a service stores. Only complete files are listed. See docs/api/geo-replication.md#6. */
export interface FileSource<Id extends FileId = FileId> {
  /** Parses an id from text. */
  readonly idOf: (text: string) => Id | undefined;
  /** Prefix of the keys of its files. */
  readonly prefix: string;
  /** Those above an id, in ascending order. */
  above(id: Id | undefined, limit: number): Promise<CopiedFile[]>;
  /** Latest first; empty if the order is unknown. */
  newest(limit: number): Promise<CopiedFile[]>;
  find(id: Id): Promise<CopiedFile | undefined>;
}

/** For kinds with numeric ids. */
export function numericId(text: string): number | undefined {
  const id = Number(text);
  return text !== '' && Number.isSafeInteger(id) ? id : undefined;
}

export const textId = (text: string): string => text;

/** The files of all kinds of a service. */
export class FileSources {
  constructor(private readonly sources: Partial<Record<FileKind, FileSource<number> | FileSource<string>>>) {}

  of(kind: FileKind): FileSource | undefined {
    // Ids that it is asked for were parsed by `readId`.
    return this.sources[kind] as FileSource | undefined;
  }
}
