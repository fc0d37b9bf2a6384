import type { Collation } from '../bson/collation';
import type { Value } from '../bson/value';
import type { Change } from './draft';
import type { UpdatePath } from './update-path';

/** The environment of modifiers; the same for all documents of a command. */
export interface UpdateContext {
  collation?: Collation | undefined;
  /** The time $currentDate sets. */
  now: Date;
}

/** One operator on one path, ready to be applied. */
export interface Modifier {
  operator: string;
  path: UpdatePath;
  /** Whether missing fields on the path are created. */
  creates: boolean;
  /** Only when an upsert inserts. */
  onlyOnInsert?: boolean;
  /** The source of $rename. */
  source?: UpdatePath;
  /** @param id the document's `_id`, for messages */
  change(id: Value): Change;
}

/** Parses the operand of one operator on one path. */
export type CompileModifier = (
  path: UpdatePath,
  operand: Value,
  context: UpdateContext,
) => Pick<Modifier, 'creates' | 'change'> & Partial<Pick<Modifier, 'onlyOnInsert' | 'source'>>;
