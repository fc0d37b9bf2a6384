import type { Operation } from '@moothall/contracts';
import type { Connection, PageArguments } from './connection';

/** Methods by which fields call operations. */
export interface Asking {
  /** One record; null if it is missing, or if the caller may not see it. */
  one(operation: Operation, input: Record<string, unknown>): Promise<Row | null>;
  /** Runs a mutation. @throws the refusal of the operation */
  change(operation: Operation, input: Record<string, unknown>): Promise<Row>;
  /** A part of a list; null as above. */
  list(operation: Operation, input: Record<string, unknown>, page: PageArguments): Promise<Connection<Row> | null>;
}

export type Row = Record<string, unknown>;
export type Arguments = Record<string, unknown>;

/** A field that calls a service. */
export interface Question {
  ask(parent: Row, args: Arguments, asking: Asking): Promise<unknown>;
  /** Number of calls. */
  cost(args: Arguments): number;
}

export const idOf = ({ id }: Row): string => String(id);

/** A name is a path here, and never a number, which the API would read as an id. */
export async function named(operation: Operation, field: string, args: Arguments, asking: Asking): Promise<Row | null> {
  const path = String(args.fullPath);
  const found = path === '' ? null : await asking.one(operation, { id: path });
  return found && String(found[field]).toLowerCase() === path.toLowerCase() ? found : null;
}
