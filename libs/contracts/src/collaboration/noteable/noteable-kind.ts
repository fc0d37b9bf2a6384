import type { z } from 'zod';
import type { onGroup, onProject } from '../../operation';

type Rule = ReturnType<typeof onProject> | ReturnType<typeof onGroup>;

/** A kind of record with notes; `noteOperations` and similar functions create its operations. */
export interface NoteableKind<R extends z.ZodRawShape, A extends Rule> {
  /** As names of operations have it: `collaboration.issue-notes.list`. */
  kind: string;
  path: string;
  /** Parameters of its path. */
  parameters: R;
  access: A;
  tier?: 'enterprise' | undefined;
  /** Its name in the API reference. */
  noun: string;
  /** Code of the error if it does not exist or may not be seen. */
  missing: string;
}

export type NoteableRule = Rule;
