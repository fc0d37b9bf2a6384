import {
  type ContainerExpirationPolicy,
  invalidRecord,
  mostPatternSteps,
  type OperationError,
  onlyGiven,
  type ParsedOf,
  type updateProject,
} from '@moothall/contracts';
import { RE2JS, RE2JSException } from 're2js';

type Attributes = NonNullable<ParsedOf<typeof updateProject>['container_expiration_policy_attributes']>;

const dayMs = 24 * 3_600_000;
const cadenceDays = { '1d': 1, '7d': 7, '14d': 14, '1month': 30, '3month': 90 };

/** The policy from an input. @throws common.invalid_record for an invalid pattern */
export function cleanupPolicyOf({ name_regex_delete, ...given }: Attributes): Partial<ContainerExpirationPolicy> {
  const policy = onlyGiven({ ...given, ...(name_regex_delete !== undefined && { name_regex: name_regex_delete }) });
  for (const name of ['name_regex', 'name_regex_keep'] as const) requirePattern(name, policy[name] ?? '');
  return policy;
}

/** @returns null for a disabled policy */
export const nextCleanup = ({ enabled, cadence }: ContainerExpirationPolicy, now: Date): Date | null =>
  enabled ? new Date(now.getTime() + cadenceDays[cadence] * dayMs) : null;

/** The same for a new project; only values that differ from the default are stored. */
export const cleanupDue = (policy: ContainerExpirationPolicy): { cleanupAt?: Date } => {
  const cleanupAt = nextCleanup(policy, new Date());
  return cleanupAt ? { cleanupAt } : {};
};

function requirePattern(name: string, pattern: string): void {
  try {
    if (RE2JS.compile(pattern).programSize() > mostPatternSteps) throw invalidPattern(name, 'repeats too much');
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidPattern(name, `not valid RE2 syntax: ${error.message}`);
  }
}

const invalidPattern = (name: string, why: string): OperationError =>
  invalidRecord({ [`container_expiration_policy.${name}`]: [why] });
