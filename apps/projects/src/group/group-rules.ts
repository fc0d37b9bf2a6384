import {
  Access,
  type Given,
  type GroupSettings,
  groupErrors,
  groupSettings,
  type OperationError,
} from '@moothall/contracts';
import { nameProblems, namespacePathProblems } from '../namespace/path-rules';

/** The error for an invalid group: one text with fields and problems. See docs/api/groups.md#3. */
export function groupNotSaved(problems: Record<string, string[]>): OperationError {
  const listed = Object.entries(problems).map(
    ([field, texts]) => `:${field}=>[${texts.map((text) => JSON.stringify(text)).join(', ')}]`,
  );
  return groupErrors.notSaved(`Failed to save group {${listed.join(', ')}}`);
}

interface Names {
  name?: string | undefined;
  path?: string | undefined;
}

/** @throws group.not_saved */
export function requireValidGroup({ name, path }: Names, isAtRoot: boolean, description?: string | null): void {
  const problems: Record<string, string[]> = {
    ...(name !== undefined && { name: nameProblems(name) }),
    ...(path !== undefined && { path: namespacePathProblems(path, isAtRoot) }),
    ...(description && description.length > 500 && { description: ['is too long (maximum is 500 characters)'] }),
  };
  const found = Object.entries(problems).filter(([, texts]) => texts.length > 0);
  if (found.length > 0) throw groupNotSaved(Object.fromEntries(found));
}

/** Fields of the input that are plain settings. */
export function groupSettingsOf(
  input: Given<GroupSettings> & { emails_enabled?: boolean | undefined },
): Partial<GroupSettings> {
  const named = Object.entries(input).filter(([name, value]) => name in groupSettings && value !== undefined);
  const { emails_enabled } = input;
  return { ...Object.fromEntries(named), ...(emails_enabled !== undefined && { emails_disabled: !emails_enabled }) };
}

/** The lowest level that may create subgroups in a group. */
export const subgroupLevel = ({ subgroup_creation_level }: GroupSettings): number =>
  subgroup_creation_level === 'owner' ? Access.Owner : Access.Maintainer;
