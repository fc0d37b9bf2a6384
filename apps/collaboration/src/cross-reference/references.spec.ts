import { referencesIn } from './references';

const issue = (iid: number, project: string | null = null) => ({ project, type: 'Issue', iid });
const mergeRequest = (iid: number, project: string | null = null) => ({ project, type: 'MergeRequest', iid });

describe('references in a text', () => {
  it.each([
    ['#12', [issue(12)]],
    ['see #12, !3 and (#4).', [issue(12), mergeRequest(3), issue(4)]],
    ['twice: #1 #1', [issue(1)]],
    ['other#5 and group/sub.group/a-b!6', [issue(5, 'other'), mergeRequest(6, 'group/sub.group/a-b')]],
    ['**#7**', [issue(7)]],
    ['`#1` and ```\n#2\n``` but #3', [issue(3)]],
    ['```\n#1', []],
    ['https://example.com/a/b#1 and /#2 and &#123; and #0', []],
    ['a#b #1a ##2 #', [issue(2)]],
    ['../x#1 a//b#2 -c#3', []],
    ['nothing at all', []],
  ])('of %p are found', (text, found) => expect(referencesIn(text)).toEqual(found));

  it('are read from all texts, of those there are', () =>
    expect(referencesIn('#1', null, undefined, '!2')).toEqual([issue(1), mergeRequest(2)]));

  it('are not more than fifty', () => {
    const text = Array.from({ length: 60 }, (_, at) => `#${at + 1}`).join(' ');
    expect(referencesIn(text)).toHaveLength(50);
  });
});
