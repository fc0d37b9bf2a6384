import { parseSshCommand } from './ssh-command';

it.each([
  ["git-upload-pack 'group/app.git'", 'git-upload-pack', 'group/app', 'project'],
  ["git-upload-pack '/group/sub/app.git'", 'git-upload-pack', 'group/sub/app', 'project'],
  ["git receive-pack 'group/app'", 'git-receive-pack', 'group/app', 'project'],
  ["git-receive-pack 'group/app.wiki.git'", 'git-receive-pack', 'group/app', 'wiki'],
  ['git-upload-pack group/app.git', 'git-upload-pack', 'group/app', 'project'],
  ["git-upload-pack 'group/it'\\''s.git'", 'git-upload-pack', "group/it's", 'project'],
])('reads %s', (command, service, path, repository) => {
  expect(parseSshCommand(command)).toEqual({ service, path, repository });
});

it('reads commands in time that grows with them', () => {
  expect(parseSshCommand(`git-upload-pack 'a${'/'.repeat(1_000_000)}b'`)).toBeDefined();
  expect(parseSshCommand(`git-upload-pack '${'/'.repeat(1_000_000)}'`)).toBeUndefined();
});

it.each([
  'ls',
  '',
  "git-upload-archive 'group/app.git'",
  "git-upload-pack 'app.git'",
  "git-upload-pack 'group/app.git'; id",
  "git-upload-pack 'group/app.git' --x",
  'git-upload-pack $(id)/app',
  "git-upload-pack ''",
])('is nothing of git: %s', (command) => {
  expect(parseSshCommand(command)).toBeUndefined();
});
