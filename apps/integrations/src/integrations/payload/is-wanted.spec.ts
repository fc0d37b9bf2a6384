import { mergeRequest, newTag, pipeline, push } from '../../../test/payloads';
import { asksForProtection, isWanted } from './is-wanted';

const main = push();
const other = push({ ref: 'refs/heads/other' });

it.each([
  ['all', other, false, true],
  ['default', main, false, true],
  ['default', other, true, false],
  ['protected', other, true, true],
  ['protected', main, false, false],
  ['default_and_protected', main, false, true],
  ['default_and_protected', other, true, true],
  ['default_and_protected', other, false, false],
  ['default', newTag, false, true],
  ['default', mergeRequest(), false, true],
])('of %s branches', (branches_to_be_notified, payload, isProtected, expected) => {
  expect(isWanted(payload, { branches_to_be_notified }, isProtected)).toBe(expected);
});

it('accepts the older field, which the newer one overrides', () => {
  expect(isWanted(other, { notify_only_default_branch: true }, false)).toBe(false);
  expect(isWanted(other, { notify_only_default_branch: true, branches_to_be_notified: 'all' }, false)).toBe(true);
});

it('is limited to named branches', () => {
  const restricted = { restrict_to_branch: 'main, stable' };
  expect([main, other].map((payload) => isWanted(payload, restricted, false))).toEqual([true, false]);
});

it.each([
  ['failed', true, true],
  ['success', true, false],
  ['success', false, true],
  ['running', false, false],
])('of a pipeline that is %s, only broken ones: %s', (status, notify_only_broken_pipelines, expected) => {
  expect(isWanted(pipeline({ status }), { notify_only_broken_pipelines }, false)).toBe(expected);
});

it('sends running pipelines to programs', () => {
  expect(isWanted(pipeline({ status: 'running' }), {}, false, false)).toBe(true);
});

it('asks for protected branches only if needed', () => {
  expect(asksForProtection({ branches_to_be_notified: 'protected' })).toBe(true);
  expect(asksForProtection({})).toBe(false);
});
