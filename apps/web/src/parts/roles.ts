import { Access } from '@moothall/contracts';
import type { Option } from './form';

/** `Developer`. */
export const roleOf = (accessLevel: number): string =>
  Object.entries(Access).find(([, level]) => level === accessLevel)?.[0] ?? `Level ${accessLevel}`;

/** Access levels as options of a choice. */
export const roleOptions = (levels: readonly number[]): Option[] =>
  levels.map((level) => ({ value: String(level), label: roleOf(level) }));
