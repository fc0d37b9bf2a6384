import { withAuthorLine } from './with-author-line';

const at = '2026-01-02T03:04:05.000Z';
const stranger = { id: 1, username: 'ann', name: 'Ann *x*\n[a](http://x)', public_email: null };

it('names the missing author in one line without markup', () => {
  expect(withAuthorLine({ author_id: 1, created_at: at, body: 'hi' }, () => stranger)).toMatchObject({
    body: `hi\n\n*By Ann x a (http://x) on ${at} (imported)*`,
  });
  expect(withAuthorLine({ author_id: 1, created_at: at, description: null }, () => null)).toMatchObject({
    description: `*By an unknown user on ${at} (imported)*`,
  });
});

it.each([
  ['of who is here', { author_id: 1, created_at: at, body: 'hi' }, undefined],
  ['of the system', { author_id: 1, created_at: at, body: 'closed', system: true }, stranger],
  ['of nobody', { title: 'label' }, stranger],
])('does not change %s', (_what, record, found) => {
  expect(withAuthorLine(record, () => found)).toBe(record);
});
