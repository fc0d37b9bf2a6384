import type { CopiedFile, FileKind } from '@moothall/contracts';

export type FileId = CopiedFile['id'];

/** The files of one kind that a service stores. Only complete files are listed. See docs/api/geo-replication.md#6. */
export interface FileSource<Id extends FileId = FileId> {
  /** How its ids read where they come as text. */
  readonly idOf: (text: string) => Id | undefined;
  /** Keys of its files begin so. */
  readonly prefix: string;
  /** Those above an id, in ascending order. */
  above(id: Id | undefined, limit: number): Promise<CopiedFile[]>;
  /** Latest first; none where it is not known which these are. */
  newest(limit: number): Promise<CopiedFile[]>;
  find(id: Id): Promise<CopiedFile | undefined>;
}

/** For kinds whose ids are numbers. */
export function numericId(text: string): number | undefined {
  const id = Number(text);
  return text !== '' && Number.isSafeInteger(id) ? id : undefined;
}

export const textId = (text: string): string => text;

/** What a service has of all kinds that it keeps. */
export class FileSources {
  constructor(private readonly sources: Partial<Record<FileKind, FileSource<number> | FileSource<string>>>) {}

  of(kind: FileKind): FileSource | undefined {
    // What it is asked about, it has read as an id of its own.
    return this.sources[kind] as FileSource | undefined;
  }
}
