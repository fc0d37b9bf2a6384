import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { connection, newUser, uniqueName } from '../server/connection';

/* Clients in other languages with typical calls. If one is not installed, its test is skipped with the reason. */

const run = promisify(execFile);

/** @param check a command that fails if the client is missing; its program also runs the script */
function client(debianPackage: string, check: string[], script: string) {
  const [program = '', ...args] = check;
  let isThere = true;
  try {
    execFileSync(program, args, { stdio: 'ignore' });
  } catch {
    isThere = false;
    console.warn(`${script} is left out: Debian's package "${debianPackage}" is not installed.`);
  }
  return {
    test: isThere ? it : it.skip,
    /** @returns the output of the script */
    async day(url: string, ...more: string[]): Promise<unknown> {
      const { stdout } = await run(program, [path.join(__dirname, script), url, ...more], { timeout: 120_000 });
      return JSON.parse(stdout);
    },
  };
}

const ruby = client('ruby-gitlab', ['ruby', '-e', 'require "gitlab"'], 'ruby-day.rb');
const perl = client('libgitlab-api-v4-perl', ['perl', '-e', 'use GitLab::API::v4'], 'perl-day.pl');
const python = client('python3-gitlab', ['/usr/bin/python3', '-c', 'import gitlab'], 'python-day.py');

jest.setTimeout(150_000);

// Empty text and null clear a value; arrays of hashes are sent in form encoding.
ruby.test('the Ruby client, which sends forms', async () => {
  const [user, colleague] = await Promise.all([newUser(), newUser()]);
  const name = uniqueName('ruby');
  const url = `${connection.url}/api/v4`;
  expect(await ruby.day(url, user.token, name, String(colleague.id))).toEqual({
    project: [`${name}/engine`, ['one', 'two']],
    diff: ['README.md', 'a.txt', 'b.bin', 'dir/ü.txt'],
    // The client drops an empty text.
    empty: null,
    tree: ['README.md', 'a.txt', 'b.bin', 'dir', 'dir/ü.txt'],
    issue: [['bug & co', 'new'], 'First', [colleague.id], '2031-01-15'],
    cleared: [[], null, [], null],
    closed: [1],
    by_iids: [1],
    negated: [1],
    merged: 'merged',
    branches: ['main'],
    tag: ['v1', 'First'],
    protected: [40],
    schedule: [['KEY', 'a&b=c']],
    pipeline: ['main', 'pending'],
    description: ['x', null],
    not_found: 404,
    refused: 400,
    deleted: [true, true],
  });
});

perl.test('the Perl client', async () => {
  const user = await newUser();
  expect(await perl.day(`${connection.url}/api/v4`, user.token, uniqueName('perl'))).toEqual({
    commit: 'Several at once',
    tree: expect.arrayContaining(['README.md', 'a.txt', 'dir', 'dir/b.txt']),
    issue: ['It breaks ü', ['bug'], '2031-01-15'],
    cleared: [[], null],
    notes: ['Said'],
    issues: [1],
    request: 'opened',
    missing: null,
  });
});

python.test('python-gitlab', async () => {
  const user = await newUser();
  expect(await python.day(connection.url, user.token, uniqueName('python'))).toEqual({
    user: user.username,
    commit: 'Several at once',
    tree: expect.arrayContaining(['README.md', 'a.txt', 'dir', 'dir/ü.txt']),
    file: 'a\n',
    issue: [['bug', 'new'], '2031-01-15'],
    cleared: [[], null],
    notes: ['Said'],
    by_iids: [1],
    found: [['a.txt'], ['It breaks'], ['Engine'], ['engine']],
    request: ['opened', ['Several at once']],
    protected: ['release/*', [40]],
    not_found: [404, '404 Project Not Found'],
    archive: true,
  });
});
