import { invalidRecord, mostPatternSteps } from '@moothall/contracts';
import { RE2JS, RE2JSException } from 're2js';
import type { Hook } from './hook.schema';

type Filter = Pick<Hook, 'branchFilter' | 'branchFilterStrategy'>;

/** Whether a hook receives pushes to a branch, in linear time. See docs/api/hooks.md#3. */
export function passesFilter({ branchFilter, branchFilterStrategy }: Filter, branch: string): boolean {
  if (!branchFilter || branchFilterStrategy === 'all_branches') return true;
  const expression = RE2JS.compile(patternOf(branchFilter, branchFilterStrategy));
  return branchFilterStrategy === 'regex' ? expression.matcher(branch).find() : expression.matches(branch);
}

/** @throws common.invalid_record for an invalid or slow pattern */
export function requireFilter({ branchFilter, branchFilterStrategy }: Filter): void {
  if (!branchFilter || branchFilterStrategy !== 'regex') return;
  const invalid = () => invalidRecord({ push_events_branch_filter: ['is invalid'] });
  try {
    if (RE2JS.compile(branchFilter).programSize() > mostPatternSteps) throw invalid();
  } catch (error) {
    throw error instanceof RE2JSException ? invalid() : error;
  }
}

const patternOf = (filter: string, strategy: Hook['branchFilterStrategy']): string =>
  strategy === 'regex'
    ? filter
    : filter
        .split('*')
        .map((part) => RE2JS.quote(part))
        .join('.*');
