import { knownFrom } from './branch-facts';
import type { BranchFacts } from './merge-request-git';

const facts = (over: Partial<BranchFacts>) =>
  ({ status: 'can_be_merged', base_sha: 'b', start_sha: 's', head_sha: 'h', ...over }) as BranchFacts;
const before = {
  mergeStatus: 'can_be_merged',
  hasConflicts: false,
  headSha: 'h0',
  baseSha: 'b0',
  startSha: 's0',
} as const;

describe('the branch facts of a merge request', () => {
  it('contain the answer of git for both branches', () =>
    expect(knownFrom(facts({}), before)).toEqual({
      mergeStatus: 'can_be_merged',
      hasConflicts: false,
      headSha: 'h',
      baseSha: 'b',
      startSha: 's',
    }));

  it('distinguishes conflicts from other reasons', () => {
    expect(knownFrom(facts({ status: 'conflict' }))).toMatchObject({
      mergeStatus: 'cannot_be_merged',
      hasConflicts: true,
    });
    expect(knownFrom(facts({ status: 'source_missing' }))).toMatchObject({ hasConflicts: false });
  });

  it('keep the last known commits if a branch is deleted', () => {
    const gone = facts({ status: 'source_missing', head_sha: null, base_sha: null });
    expect(knownFrom(gone, before)).toMatchObject({ headSha: 'h0', baseSha: 'b0', startSha: 's0' });
    expect(knownFrom(gone)).toMatchObject({ headSha: null, baseSha: null, startSha: null });
  });
});
