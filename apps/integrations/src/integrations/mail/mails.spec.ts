import { goneBranch, newBranch, newTag, pipeline, push } from '../../../test/payloads';
import { pipelineMail } from './pipeline-mail';
import { pushMail } from './push-mail';
import { isOwnAddress, recipientsIn } from './recipients';

const change = {
  old_path: 'wheel.txt',
  new_path: 'wheel.txt',
  new_file: false,
  renamed_file: false,
  deleted_file: false,
};

it.each([
  [push(), '[ada/engine][main] Turn the wheel'],
  [push({ total_commits_count: 3 }), '[ada/engine][main] 3 commits: Turn the wheel'],
  [newBranch, '[ada/engine][fix/it] Pushed new branch fix/it'],
  [goneBranch, '[ada/engine][old] Deleted branch old'],
  [newTag, '[ada/engine][v1] Pushed new tag v1'],
])('is about the pushed commits', (payload, subject) => {
  expect(pushMail(payload, undefined).subject).toBe(subject);
});

it('has commits and changes', () => {
  const { text } = pushMail(push(), [{ ...change, diff: '@@ -1 +1 @@\n-slow\n+fast\n' }]);
  expect(text).toContain('Ada Lovelace (ada) pushed to branch main at Ada / Engine');
  expect(text).toContain('cccccccc by Ada Lovelace at 2020-10-15T08:12:01+00:00\nTurn the wheel');
  expect(text).toContain('1 changed file:\n  wheel.txt');
  expect(text).toContain('-slow\n+fast');
});

it('links to a new branch of any name', () => {
  const { text } = pushMail({ ...newBranch, ref: 'refs/heads/fix/#1 %41' }, undefined);
  expect(text).toMatch(/\/-\/tree\/fix\/%231%20%2541$/);
});

it('has no changes if they are disabled, and a limited number otherwise', () => {
  expect(pushMail(push(), undefined).text).not.toContain('Changes:');
  expect(pushMail(push(), [{ ...change, diff: 'x'.repeat(5_000_000) }]).text.length).toBeLessThan(210_000);
});

it('names the result of a pipeline', () => {
  const { subject, text } = pipelineMail(pipeline());
  expect(subject).toBe('Pipeline #21 has failed for main | Ada / Engine | cccccccc');
  expect(text).toContain('Triggered by: Ada Lovelace');
});

it('reads unique addresses', () => {
  expect(recipientsIn(' a@x.example\nb@x.example,a@x.example "c"@<x> no-address\r\nBcc:e@x ')).toEqual([
    'a@x.example',
    'b@x.example',
  ]);
});

it.each([
  ['ada@hall.example.com', true],
  ['ada@example.com', true],
  ['ada@com', false],
  ['ada@evil.com', false],
  ['ada@all.example.com', false],
  ['example.com', false],
])('%s is an address of this server: %s', (email, expected) => {
  expect(isOwnAddress(email, 'hall.example.com')).toBe(expected);
});
