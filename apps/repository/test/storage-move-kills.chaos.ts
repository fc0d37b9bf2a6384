import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  Access,
  commonErrors,
  createCommit,
  createWikiPage,
  getStorageMove,
  getWikiPage,
  listCommits,
  OperationError,
  type ProjectRef,
  resolveProject,
  scheduleStorageMove,
  setProjectStorage,
} from '@moothall/contracts';
import { callerNamed, contextOf, describeWithoutFaults } from '@moothall/testing';
import { git, gitText } from './git/build-repository';
import { RepositoryProcesses } from './repository-processes';
import { newProjectOn } from './repository-under-test';

/* Storage moves between real processes of the service, which are killed with SIGKILL at each step. */

const root = callerNamed('root', { isAdmin: true });
const commits = 2_000;
const timeoutMs = 300_000;
let houses: RepositoryProcesses;
/** A repository with a history that takes some time to copy and to verify. */
let history: string;
let running: ChildProcess[] = [];
/** Owns both storages, and runs from one test to the next. */
let both: ChildProcess | undefined;
/** The project as the projects service stores it. */
let place: ProjectRef;
/** Called before each change of the place; its result may replace the answer. */
let onPlace: (storage: string, isReadOnly: boolean) => 'lost' | undefined;

beforeAll(async () => {
  houses = await RepositoryProcesses.prepare({ STORAGE_MOVE_GRACE: '2' });
  history = path.join(houses.folder, 'history.git');
  writeHistory();
  houses.respond(resolveProject, () => ({ project: place, redirected: false }));
  houses.respond(setProjectStorage, ({ from, storage, is_read_only }) => {
    const fate = onPlace(storage, is_read_only);
    if (fate === 'lost' || place.storage !== from) return new OperationError(commonErrors.conflict().value);
    place = { ...place, storage, isReadOnly: is_read_only };
    return { storage, is_read_only };
  });
}, timeoutMs);
beforeEach(() => {
  onPlace = () => undefined;
});
const killAll = async () => {
  await Promise.all(running.map((child) => houses.kill(child)));
  running = [];
  both = undefined;
};
afterAll(() => houses.stop());

async function start(...storages: string[]): Promise<ChildProcess> {
  const child = await houses.start(...storages);
  running.push(child);
  return child;
}

/** Its end is detected at once, so that later effects do not count. */
function kill(child: ChildProcess): void {
  child.kill('SIGKILL');
}

function writeHistory(): void {
  git('.', ['init', '--quiet', '--bare', history]);
  const stream = Array.from({ length: commits }, (_, n) => {
    const text = `${n} `.repeat(200);
    return `commit refs/heads/history\ncommitter A <a@example.com> ${1_500_000_000 + n} +0000\ndata 1\nx\nM 100644 inline f${n % 100}/${n}\ndata ${text.length}\n${text}\n`;
  });
  git(history, ['fast-import', '--quiet'], { input: stream.join('') });
}

/** A project with a wiki and that history. */
async function bigProject() {
  const made = await newProjectOn(houses.client);
  place = made.project;
  await houses.client.call(createWikiPage, { id: 'x', title: 'Home', content: 'Text' }, made.context);
  const repository = houses.repositoryOn('default', place.id);
  cpSync(path.join(history, 'objects/pack'), path.join(repository, 'objects/pack'), { recursive: true });
  git(repository, ['update-ref', 'refs/heads/history', gitText(history, ['rev-parse', 'history'])]);
  return { ...made, repository, refs: gitText(repository, ['for-each-ref']) };
}

const schedule = () =>
  houses.client.call(
    scheduleStorageMove,
    { id: String(place.id), destination_storage_name: 'second' },
    contextOf({ caller: root }),
  );
const moveOf = (move_id: number) => houses.client.call(getStorageMove, { move_id }, contextOf({ caller: root }));
const stateOf = async (move_id: number) => (await moveOf(move_id)).state;

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 120_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/**
 * Whether one of the processes runs that git command. Only their children are read: reading all processes of the
 * machine would take longer than the command.
 */
function gitRuns(command: string): boolean {
  return running.some(({ pid }) =>
    childrenOf(pid!).some((child) => {
      const words = readProcess(`${child}/cmdline`);
      return /^[^\0]*\/git\0/.test(words) && words.includes(`\0${command}\0`);
    }),
  );
}

const childrenOf = (pid: number): string[] => readProcess(`${pid}/task/${pid}/children`).split(' ').filter(Boolean);

/** @returns an empty text for an ended process */
function readProcess(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Checks that everything exists, once, and is writable. */
async function requireWhole(refs: string): Promise<void> {
  expect(place.isReadOnly).toBe(false);
  const repository = houses.repositoryOn(place.storage, place.id);
  const other = place.storage === 'default' ? 'second' : 'default';
  for (const kind of ['code', 'wiki'] as const)
    expect(existsSync(houses.repositoryOn(other, place.id, kind))).toBe(false);
  expect(gitText(repository, ['for-each-ref'])).toBe(refs);
  gitText(repository, ['fsck', '--full', '--strict', '--no-dangling', '--no-progress']);
  const here = contextOf({ caller: callerNamed('ada'), project: { ...place, accessLevel: Access.Maintainer } });
  const actions = [{ action: 'create' as const, file_path: 'after.txt', content: 'x' }];
  const written = await houses.client.call(
    createCommit,
    { id: 'x', branch: 'main', commit_message: 'after', actions },
    here,
  );
  const { items } = await houses.client.call(listCommits, { id: 'x' }, here);
  expect(items[0]!.id).toBe(written.id);
  expect(await houses.client.call(getWikiPage, { id: 'x', slug: 'Home' }, here)).toMatchObject({ content: 'Text' });
  await houses.client.call(createWikiPage, { id: 'x', title: 'After', content: 'x' }, here);
}

describeWithoutFaults('a process killed', () => {
  afterAll(killAll);

  const points: Record<string, (child: ChildProcess, id: number) => Promise<void>> = {
    'while it copies': async (child) => {
      await until(() => gitRuns('fetch'), 'the copy');
      kill(child);
    },
    'while it verifies': async (child) => {
      await until(() => gitRuns('fsck'), 'the verification');
      kill(child);
    },
    'when it makes the project read-only': (child) => atPlace((_storage, isReadOnly) => isReadOnly, 'lost', child),
    'with the project read-only': (child) => atPlace((_storage, isReadOnly) => isReadOnly, undefined, child),
    'before the switch': (child) => atPlace((storage) => storage === 'second', 'lost', child),
    'after the switch, before it knew': (child) => atPlace((storage) => storage === 'second', undefined, child),
    'before the old copy goes': async (child, id) => {
      await until(async () => (await stateOf(id)) === 'replicated', 'the switch');
      kill(child);
    },
  };

  /** Kills it during a call, whose change is applied or not. */
  async function atPlace(
    isPoint: (storage: string, isReadOnly: boolean) => boolean,
    fate: 'lost' | undefined,
    child: ChildProcess,
  ): Promise<void> {
    await new Promise<void>((resolve) => {
      onPlace = (storage, isReadOnly) => {
        if (!isPoint(storage, isReadOnly)) return undefined;
        kill(child);
        onPlace = () => undefined;
        resolve();
        return fate;
      };
    });
  }

  it.each(Object.entries(points))(
    '%s resumes the move when it is started again',
    async (_point, reach) => {
      const child = both?.exitCode === null && both.signalCode === null ? both : await start('default', 'second');
      const { refs } = await bigProject();
      const { id } = await schedule();
      await reach(child, id);
      await houses.kill(child);
      both = await start('default', 'second');
      await until(async () => /finished|failed/.test(String(await stateOf(id))), 'the end of the move');
      expect(await moveOf(id)).toMatchObject({ state: 'finished', error_message: null });
      expect(place.storage).toBe('second');
      await requireWhole(refs);
    },
    timeoutMs,
  );
});

describeWithoutFaults('with a process for each storage', () => {
  afterEach(killAll);

  it(
    'operations reach the owner of the repository, and moves between both succeed under writes',
    async () => {
      await Promise.all([start('default'), start('second')]);
      const there = await newProjectOn(houses.client, { storage: 'second' });
      expect(existsSync(houses.repositoryOn('second', there.project.id))).toBe(true);
      expect(existsSync(houses.repositoryOn('default', there.project.id))).toBe(false);
      await there.commit('main', 'there.txt', 'x');

      const { caller, refs } = await bigProject();
      const { id } = await schedule();
      const written: string[] = [];
      for (let number = 0; (await stateOf(id)) !== 'finished'; number++) {
        const input = {
          id: 'x',
          branch: 'topic',
          start_branch: number === 0 ? 'main' : undefined,
          commit_message: 'm',
          actions: [{ action: 'create' as const, file_path: `f${number}`, content: 'x' }],
        };
        const here = contextOf({ caller, project: place });
        await houses.client.call(createCommit, input, here).then(
          (commit) => written.push(commit.id),
          (error: unknown) => expect(error).toMatchObject({ value: { code: 'repository_content.read_only' } }),
        );
      }
      expect(written.length).toBeGreaterThan(0);
      const log = gitText(houses.repositoryOn('second', place.id), ['log', '--format=%H', 'topic']).split('\n');
      expect(log).toEqual(expect.arrayContaining(written));
      await requireWhole(`${refs}\n${written.at(-1)} commit\trefs/heads/topic`);
    },
    timeoutMs,
  );

  it(
    'the previous owner may be killed while the other one copies',
    async () => {
      const [left] = await Promise.all([start('default'), start('second')]);
      const { refs } = await bigProject();
      const { id } = await schedule();
      await until(() => gitRuns('bundle'), 'the copy');
      await houses.kill(left);
      await start('default');
      await until(async () => /finished|failed/.test(String(await stateOf(id))), 'the end of the move');
      await requireWhole(refs);
    },
    timeoutMs,
  );

  it(
    'the remaining one still blocks writes after its restart',
    async () => {
      const [left] = await Promise.all([start('default'), start('second')]);
      const { caller, context } = await bigProject();
      const { id } = await schedule();
      await until(async () => (await stateOf(id)) === 'replicated', 'the switch');
      await houses.kill(left);
      await start('default');
      // A caller with the old location.
      const actions = [{ action: 'create' as const, file_path: 'late.txt', content: 'x' }];
      const late = houses.client.call(
        createCommit,
        { id: 'x', branch: 'main', commit_message: 'late', actions },
        { ...context, caller },
      );
      await expect(late).rejects.toMatchObject({ value: { code: 'repository_content.read_only' } });
      await until(async () => /finished/.test(String(await stateOf(id))), 'the end of the move');
    },
    timeoutMs,
  );
});
