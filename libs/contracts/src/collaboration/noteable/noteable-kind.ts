import type { z } from 'zod';
import type { onGroup, onProject } from '../../operation';

type Rule = ReturnType<typeof onProject> | ReturnType<typeof onGroup>;

/** A kind of record that people write notes on; its operations are made from this by `noteOperations` and the like. */
export interface NoteableKind<R extends z.ZodRawShape, A extends Rule> {
  /** As names of operations have it: `collaboration.issue-notes.list`. */
  kind: string;
  path: string;
  /** What the path names it by. */
  parameters: R;
  access: A;
  tier?: 'enterprise' | undefined;
  /** As the API reference calls it. */
  noun: string;
  /** Code of the error if it does not exist or may not be seen. */
  missing: string;
}

export type NoteableRule = Rule;
