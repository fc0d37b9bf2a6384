import { isArchiveCommand, parseLfsCommand, parseSshCommand } from './ssh-command';

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

it.each([
  ["git-lfs-authenticate 'group/app.git' download", 'git-upload-pack'],
  ['git-lfs-authenticate group/app.git upload', 'git-receive-pack'],
  [`git-lfs-authenticate '/group/app' upload ${'a'.repeat(64)}`, 'git-receive-pack'],
])('reads the commands of git-lfs: %s', (command, service) => {
  expect(parseLfsCommand(command)).toEqual({ service, path: 'group/app', repository: 'project' });
});

it.each([
  "git-lfs-authenticate 'group/app.git'",
  "git-lfs-authenticate 'group/app.git' delete",
  "git-lfs-authenticate 'group/app.git' upload; id",
  "git-lfs-transfer 'group/app.git' upload",
  "git-upload-pack 'group/app.git'",
])('is nothing of git-lfs: %s', (command) => {
  expect(parseLfsCommand(command)).toBeUndefined();
});

it('reads the commands of git for archives', () => {
  const commands = [
    "git-upload-archive 'group/app.git'",
    'git upload-archive x',
    'git-upload-archive',
    'git-upload-pack x',
  ];
  expect(commands.map(isArchiveCommand)).toEqual([true, true, true, false]);
});
