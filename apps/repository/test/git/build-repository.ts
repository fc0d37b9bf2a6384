import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitEngine, type GitEngineOptions } from '../../src/git/engine';

const PEOPLE = {
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada Lovelace',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** Runs git like a user, with a fixed identity and without settings of the machine. */
export function git(
  folder: string,
  args: string[],
  options: { input?: Buffer | string; env?: Record<string, string> } = {},
): Buffer {
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    ...PEOPLE,
  };
  return execFileSync('git', args, {
    cwd: folder,
    env: { ...env, ...options.env },
    input: options.input,
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export function gitText(folder: string, args: string[]): string {
  return git(folder, args).toString('utf8').trim();
}

/** An engine on its own storage, in a temporary folder that `dispose` removes. */
export function makeEngine(options: Partial<GitEngineOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'moothall-git-'));
  // No test crashes the machine.
  const place = { storageName: 'default', storageRoot: join(folder, 'storage'), fsync: false };
  const engine = new GitEngine({ ...place, ...options });
  const dispose = () => {
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { engine, folder, dispose };
}

const SCRIPT = String.raw`
set -e
tick() { n=$((n+1)); export GIT_AUTHOR_DATE="$((1348130000 + n*3600)) $1" GIT_COMMITTER_DATE="$((1348130000 + n*3600)) $1"; }
n=0
git init -q -b main . ; git config core.quotePath true
tick +0300
mkdir -p docs/deep/er src "a dir" ; echo '# Read me' > README.md ; seq 1 200 > src/numbers.txt ; echo 'int main;' > src/main.c
echo x > docs/deep/er/x.txt ; echo y > docs/y.md ; printf 'a\0b\377' > logo.bin ; echo spaced > "a dir/with space.txt"
printf 'caf\351\n' > latin1.txt ; printf 'ascii' > "$(printf 'na\357ve.txt')" ; echo grün > 'größe – 漢字.txt'
echo '#!/bin/sh' > run.sh ; chmod +x run.sh ; ln -s README.md link ; mkdir a-b a ; echo 1 > a/1 ; echo 1 > a-b/1 ; echo 1 > a.txt
printf 'tab' > "$(printf 'tab\there')"
git add -A ; git commit -q -m 'First commit

With a body.'
tick -0730
git mv src/numbers.txt src/digits.txt ; echo 201 >> src/digits.txt ; GIT_AUTHOR_NAME='Björn' GIT_AUTHOR_EMAIL=bjorn@example.com git commit -q -am 'Rename numbers'
mkdir -p vendor/lib ; git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,vendor/lib ; printf '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://example.com/lib.git\n' > .gitmodules
git add .gitmodules ; tick +0000 ; git commit -q -m 'Add a submodule'
git branch feature/one ; tick +0200
printf 'c\0d' > logo.bin ; rm link ; echo file > link ; chmod -x run.sh ; rm docs/y.md ; git commit -q -am 'Change kinds' 
git checkout -q -f feature/one ; tick +0200 ; echo feature > feature.txt ; git add feature.txt ; GIT_AUTHOR_NAME=Cy GIT_AUTHOR_EMAIL=cy@example.com git commit -q -m 'Feature'
tick +0200 ; git -c i18n.commitEncoding=ISO-8859-1 commit -q --allow-empty -F - <<< "$(printf 'Gr\374\337e')"
git checkout -q -f main ; tick +0200 ; git merge -q --no-ff -m 'Merge feature' feature/one
git tag light ; tick +0100 ; git tag -a v1.0 -m 'Version one

Long text'
git branch same main~2 ; git tag same main~1 ; git branch old main~3 ; git branch merged main~1
git checkout -q --orphan island ; git rm -rfq --cached . ; git clean -fdq ; echo island > island.txt ; git add island.txt ; tick +0000 ; git commit -q -m 'Unrelated'
git checkout -q -f main
`;

/** A work tree with merges, tags, renames, binaries, links, a submodule and unusual names; returns its folder. */
export function buildSample(folder: string): string {
  const path = mkdtempSync(join(folder, 'sample-'));
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...PEOPLE,
  };
  const result = spawnSync('bash', ['-c', SCRIPT], { cwd: path, env });
  if (result.status !== 0) throw new Error(`sample repository: ${result.stderr}`);
  return path;
}

/** A started engine for the tests of a file, and a work tree to fill its repositories from. */
export function startSample(options: Partial<GitEngineOptions> = {}) {
  const { engine, folder, dispose } = makeEngine(options);
  beforeAll(() => engine.start());
  afterAll(dispose);
  return { engine, folder, source: buildSample(folder) };
}

/** A bare repository of the engine with all refs of a work tree. */
export async function importSample(engine: GitEngine, source: string, projectId = 1): Promise<string> {
  const repository = await engine.storage.create(projectId);
  git(source, ['push', '-q', '--mirror', repository]);
  return repository;
}
