import type { Operation } from '@moothall/contracts';
import type { Connection, PageArguments } from './connection';

/** What fields ask with. */
export interface Asking {
  /** One record; null if there is none, or if the caller may not see it. */
  one(operation: Operation, input: Record<string, unknown>): Promise<Row | null>;
  /** Changes something. @throws what the operation refuses */
  change(operation: Operation, input: Record<string, unknown>): Promise<Row>;
  /** A part of a list; null as above. */
  list(operation: Operation, input: Record<string, unknown>, page: PageArguments): Promise<Connection<Row> | null>;
}

export type Row = Record<string, unknown>;
export type Arguments = Record<string, unknown>;

/** A field that asks a service. */
export interface Question {
  ask(parent: Row, args: Arguments, asking: Asking): Promise<unknown>;
  /** How many operations that are. */
  cost(args: Arguments): number;
}

export const idOf = ({ id }: Row): string => String(id);

/** A name is one of paths here, and no number, as it may be in the addresses of the interface. */
export async function named(operation: Operation, field: string, args: Arguments, asking: Asking): Promise<Row | null> {
  const path = String(args.fullPath);
  const found = path === '' ? null : await asking.one(operation, { id: path });
  return found && String(found[field]).toLowerCase() === path.toLowerCase() ? found : null;
}
