import {
  Access,
  type AccessRule,
  type Caller,
  commonErrors,
  forbidden,
  type GroupRef,
  type GroupRule,
  isFeatureOpen,
  isReadable,
  namedNotFound,
  type Operation,
  type OperationContext,
  PageOutput,
  type ProjectRef,
  type ProjectRule,
  reaches,
} from '@moothall/contracts';
import { z } from 'zod';
import type { ResourceResolver } from './resource-resolver';

/**
 * Checks a caller against an operation's access rule, in the order of docs/api/requests.md#4: administrator, then
 * whether the target is visible, then the level.
 * @returns the resolved target, for the service
 * @throws 403 without permission; 404 for a hidden target; 401 if signing in might help
 */
export async function checkAccess(
  operation: Operation,
  caller: Caller | undefined,
  id: string,
  resources: ResourceResolver,
): Promise<Pick<OperationContext, 'project' | 'group'>> {
  const rule: AccessRule = operation.access;
  if (rule.on === 'administrator' && !caller?.isAdmin) throw forbidden();
  if (rule.on === 'project') {
    const project = await resources.resolveProject(id, caller);
    requireProject(rule, project, caller, operation);
    return { project };
  }
  if (rule.on === 'group') {
    const group = await resources.resolveGroup(id, caller);
    requireGroup(rule, group, caller);
    return { group };
  }
  return {};
}

export function requireProject(
  rule: ProjectRule,
  project: ProjectRef,
  caller: Caller | undefined,
  operation: Operation,
): void {
  if (!isReadable(project, caller)) throw namedNotFound('Project');
  const features = [rule.feature ?? []].flat();
  const isOpen = features.length === 0 || features.some((feature) => isFeatureOpen(project, feature));
  if (!isOpen) throw closedFeature(operation, rule);
  requireLevel(levelIn(rule, project), rule, project, caller);
}

/** An operation that every reader may call can still require a level in private projects. */
const levelIn = (rule: ProjectRule, project: ProjectRef): number =>
  project.visibility === 'private' ? Math.max(rule.level, rule.levelInPrivate) : rule.level;

function requireGroup(rule: GroupRule, group: GroupRef, caller: Caller | undefined): void {
  if (!isReadable(group, caller)) throw namedNotFound('Group');
  requireLevel(rule.level, rule, group, caller);
}

function requireLevel(
  required: number,
  { ability }: ProjectRule | GroupRule,
  target: ProjectRef | GroupRef,
  caller: Caller | undefined,
): void {
  if (required === Access.None || reaches(target, required, ability)) return;
  throw caller ? forbidden() : commonErrors.unauthorized();
}

/**
 * A feature that is disabled or restricted to members: 404 on single records, 403 otherwise. See docs/api/access.md#4.
 */
function closedFeature({ routes, output }: Operation, { isSummary }: ProjectRule): Error {
  const isList = output instanceof PageOutput || output instanceof z.ZodArray || isSummary;
  const isSingle = routes[0]?.method === 'GET' && !isList;
  return isSingle ? commonErrors.notFound() : forbidden();
}
