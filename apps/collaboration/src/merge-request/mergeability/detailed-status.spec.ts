import { defaultProjectSettings } from '@moothall/contracts';
import { ownStatus, statusBySettings } from './detailed-status';

const facts = {
  state: 'opened',
  mergeStatus: 'can_be_merged',
  isDraft: false,
  hasConflicts: false,
  headSha: 'b',
  baseSha: 'a',
  startSha: 'a',
} as const;
const settings = defaultProjectSettings;
const needsPipeline = { ...settings, only_allow_merge_if_pipeline_succeeds: true };

// The newer field with the reason why a merge request cannot be merged.
describe('the detailed merge status', () => {
  it.each([
    [{ state: 'merged' }, 'not_open'],
    [{ state: 'closed' }, 'not_open'],
    [{ state: 'locked' }, 'not_open'],
    [{ mergeStatus: 'unchecked' }, 'unchecked'],
    [{ mergeStatus: 'checking' }, 'checking'],
    [{ isDraft: true, hasConflicts: true }, 'draft_status'],
    [{ hasConflicts: true, mergeStatus: 'cannot_be_merged' }, 'conflict'],
    [{ mergeStatus: 'cannot_be_merged' }, 'commits_status'],
    [{}, undefined],
  ] as const)('of %o is %s', (over, status) => expect(ownStatus({ ...facts, ...over } as never)).toBe(status));

  it.each([
    [facts, settings, false, undefined, 'mergeable'],
    [facts, settings, true, undefined, 'discussions_not_resolved'],
    [{ ...facts, startSha: 'c' }, settings, false, undefined, 'mergeable'],
    [{ ...facts, startSha: 'c' }, { ...settings, merge_method: 'ff' }, false, undefined, 'need_rebase'],
    [{ ...facts, startSha: 'c' }, { ...settings, merge_method: 'rebase_merge' }, false, undefined, 'need_rebase'],
    [facts, { ...settings, merge_method: 'ff' }, false, undefined, 'mergeable'],
    [facts, needsPipeline, false, undefined, 'ci_must_pass'],
    [facts, needsPipeline, false, { status: 'running' }, 'ci_still_running'],
    [facts, needsPipeline, false, { status: 'failed' }, 'ci_must_pass'],
    [facts, needsPipeline, false, { status: 'skipped' }, 'ci_must_pass'],
    [facts, { ...needsPipeline, allow_merge_on_skipped_pipeline: true }, false, { status: 'skipped' }, 'mergeable'],
    [facts, needsPipeline, false, { status: 'success' }, 'mergeable'],
    [facts, settings, false, { status: 'failed' }, 'mergeable'],
  ] as const)('by the settings of the project: %#', (found, given, isBlocked, pipeline, status) =>
    expect(statusBySettings(found, given as never, isBlocked, pipeline)).toBe(status),
  );
});
