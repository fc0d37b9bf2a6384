import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSeed } from './read-seed';

describe('readSeed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-seed-'));
  const file = path.join(folder, 'seed.yaml');
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (text: string) => {
    writeFileSync(file, text);
    return readSeed(file);
  };

  it('accepts an empty file, and JSON', () => {
    const nothing = { users: [], groups: [], projects: [], runners: [] };
    expect(read('').seed).toEqual(nothing);
    expect(read('{"users": [{"username": "alice"}]}').seed.users).toEqual([
      { username: 'alice', admin: false, tokens: [], ssh_keys: [] },
    ]);
  });

  it('adds defaults', () => {
    const { seed } = read('projects:\n  - path: tools/site\n    branches:\n      topic: {}\n');
    expect(seed.projects[0]).toMatchObject({
      path: 'tools/site',
      visibility: 'private',
      default_branch: 'main',
      branches: { topic: { files: {} } },
      issues: [],
    });
  });

  it.each([
    ['what is no YAML', 'users: [', /^\S+seed\.yaml:1: /],
    ['a key given twice', 'users: []\ngroups: []\nusers: []\n', /^\S+seed\.yaml:3: .*unique/],
    ['what should be a list', 'users:\n  username: alice\n', /^\S+seed\.yaml:1: users: .*array/],
    [
      'a field that there is not',
      'users:\n  - username: alice\n    pasword: x\n',
      /^\S+seed\.yaml:3: users\.0\.pasword: there is no such field$/,
    ],
    ['a field that is missing', 'users:\n  - name: Alice\n', /^\S+seed\.yaml:2: users\.0\.username: /],
    [
      'a value of the wrong kind',
      'groups:\n  - path: a\n\n    visibility: secret\n',
      /^\S+seed\.yaml:4: groups\.0\.visibility: /,
    ],
    [
      'a token that is too short',
      'users:\n- username: a\n  tokens:\n  - token: abc\n',
      /^\S+seed\.yaml:4: users\.0\.tokens\.0\.token: /,
    ],
    [
      'a level of nobody',
      'groups:\n- path: a\n  members:\n    bob: king\n',
      /^\S+seed\.yaml:4: groups\.0\.members\.bob: /,
    ],
    ['a project in nothing', 'projects:\n  - path: site\n', /^\S+seed\.yaml:2: projects\.0\.path: must be a full path/],
    [
      'a bomb of aliases',
      `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [${'*a,'.repeat(20)}]\nc: &c [${'*b,'.repeat(20)}]\nd: [${'*c,'.repeat(20)}]\n`,
      /alias/,
    ],
    ['what is nested without end', `users: ${'['.repeat(100_000)}`, /seed\.yaml/],
  ])('refuses %s, and names the line', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('names every wrong line', () => {
    expect(() => read('users:\n  - name: A\n  - username: b\n    admin: maybe\n')).toThrow(
      /seed\.yaml:2: users\.0\.username.*\n.*seed\.yaml:4: users\.1\.admin/s,
    );
  });

  it('names the place of a value that the server refuses', () => {
    const { locate } = read('users: []\nprojects:\n  - path: a/b\n    files:\n      README.md: hello\n');
    expect(locate(['projects', 0, 'files', 'README.md'])).toBe(`${file}:5`);
    expect(locate(['projects', 0, 'files', 'other'])).toBe(`${file}:4`);
    expect(locate(['projects', 0])).toBe(`${file}:3`);
  });

  it('refuses a file that does not exist', () => {
    expect(() => readSeed(path.join(folder, 'none.yaml'))).toThrow(/^The seed .*none\.yaml cannot be read: ENOENT/);
  });
});
