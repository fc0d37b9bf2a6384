import {
  goneBranch,
  issue,
  mergeRequest,
  newBranch,
  newTag,
  note,
  pipeline,
  push,
  wikiPage,
} from '../../../test/payloads';
import type { Payload } from '../payload/payload';
import { markdownText, plainText, slackText } from '../words/part';
import { chatMessage } from './chat-message';

const plain = (payload: Payload): string => {
  const { summary, details } = chatMessage(payload)!;
  return [summary, ...details].map(plainText).join('\n');
};

it.each<[string, Payload, string]>([
  [
    'a push',
    push(),
    'Ada Lovelace (ada) pushed to branch main of Ada / Engine (Compare changes)\ncccccccc: Turn the wheel - Ada Lovelace',
  ],
  [
    'a new branch',
    newBranch,
    'Ada Lovelace (ada) pushed new branch fix/it to Ada / Engine\ncccccccc: Turn the wheel - Ada Lovelace',
  ],
  ['a branch that went', goneBranch, 'Ada Lovelace (ada) removed branch old from Ada / Engine'],
  ['a tag', newTag, 'Ada Lovelace (ada) pushed new tag v1 to Ada / Engine'],
  [
    'an issue',
    issue(),
    '[Ada / Engine] Issue #12 It <squeaks> | *loudly* opened by Ada Lovelace (ada)\nSince noon.\nSee AB-1.',
  ],
  [
    'the end of an issue',
    issue({ action: 'close' }),
    '[Ada / Engine] Issue #12 It <squeaks> | *loudly* closed by Ada Lovelace (ada)',
  ],
  [
    'a merge',
    mergeRequest({ action: 'merge', state: 'merged' }),
    'Ada Lovelace (ada) merged merge request !3 Oil it in Ada / Engine',
  ],
  ['a comment', note, 'Ada Lovelace (ada) commented on issue #12 in Ada / Engine\nLooks good'],
  ['a page', wikiPage, 'Ada Lovelace (ada) created wiki page in Ada / Engine: Home\nFirst words'],
  ['a pipeline', pipeline(), 'Ada / Engine: Pipeline #21 of branch main by Ada Lovelace (ada) has failed in 02:10'],
  [
    'a long one',
    pipeline({ status: 'success', duration: 3725.4, tag: true, ref: 'v1' }),
    'Ada / Engine: Pipeline #21 of tag v1 by Ada Lovelace (ada) has passed in 1:02:05',
  ],
])('has a message for %s', (_what, payload, words) => {
  expect(plain(payload)).toBe(words);
});

it('names the author of a push as far as the payload does', () => {
  expect(plain(push({ user_username: null }))).toMatch(/^Ada Lovelace pushed/);
  expect(plain(push({ user_name: null, user_username: null }))).toMatch(/^Somebody pushed/);
});

it.each<[string, Payload]>([
  ['changes of an issue', issue({ action: 'update' })],
  ['changes of a merge request', mergeRequest({ action: 'update' })],
  ['a pipeline under way', pipeline({ status: 'running' })],
])('has no message for %s', (_what, payload) => {
  expect(chatMessage(payload)).toBeUndefined();
});

it('shows the newest 20 commits, and the beginning of long texts', () => {
  const commits = Array.from({ length: 30 }, () => push().commits[0]!);
  expect(chatMessage(push({ commits }))!.details).toHaveLength(20);
  expect(plain(issue({ description: 'x'.repeat(100_000) })).length).toBeLessThan(2000);
});

describe('chat messages with user text', () => {
  const { summary } = chatMessage(issue({ title: '<!channel> [x](http://evil) `|*' }))!;

  it('is no markup of Slack', () => {
    expect(slackText(summary)).toContain('#12 &lt;!channel&gt; [x](http://evil) `¦*>');
  });

  it('is no Markdown', () => {
    expect(markdownText(summary)).toContain('\\<!channel\\> \\[x\\](http://evil) \\`\\|\\*](');
  });

  it('does not end an address', () => {
    const parts = [{ text: 'a', url: 'https://x/a>|b)c(d e' }];
    expect(slackText(parts)).toBe('<https://x/a%3E%7Cb%29c%28d%20e|a>');
    expect(markdownText(parts)).toBe('[a](https://x/a%3E%7Cb%29c%28d%20e)');
  });
});
