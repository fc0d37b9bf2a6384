import { closedIssuesIn, linked, trackerOf } from './external-issues';

const settings = { issues_url: 'https://track.example.com/:id', url: 'https://jira.example.com/' };
const tracker = (slug: string, hasOwnIssues = true) => trackerOf(slug, settings, hasOwnIssues)!;

it.each([
  ['custom-issue-tracker', 'closes ABC-12', 'ABC-12', 'https://track.example.com/12'],
  ['redmine', 'Fixed: ABC_D-12.', 'ABC_D-12', 'https://track.example.com/12'],
  ['youtrack', '(resolves ABC-12)', 'ABC-12', 'https://track.example.com/ABC-12'],
  ['ewm', 'Fixes Work Item 12', 'Work Item 12', 'https://track.example.com/12'],
  ['jira', 'see B-1, closing ABC-12', 'ABC-12', 'https://jira.example.com/browse/ABC-12'],
])('finds that %s closes issues in %j', (slug, text, id, url) => {
  expect(closedIssuesIn([text], tracker(slug))).toEqual([{ id, url }]);
});

it('finds #12 as external only if the project has no issues', () => {
  expect(closedIssuesIn(['closes #12'], tracker('bugzilla'))).toEqual([]);
  expect(closedIssuesIn(['closes #12, closes &#12; closes a#12'], tracker('bugzilla', false))).toEqual([
    { id: '#12', url: 'https://track.example.com/12' },
  ]);
});

it('names each once, and a hundred at most', () => {
  const many = Array.from({ length: 200 }, (_, at) => `fix AB-${at} closes AB-${at}`).join(' ');
  expect(closedIssuesIn([many, many], tracker('jira'))).toHaveLength(100);
});

it('does not change the rest of a text', () => {
  expect(linked('fixes AB-1, not ab-2', tracker('jira'))).toEqual([
    'fixes ',
    { text: 'AB-1', url: 'https://jira.example.com/browse/AB-1' },
    ', not ab-2',
  ]);
});

it('is no other kind', () => {
  expect(trackerOf('slack', settings, true)).toBeUndefined();
});
