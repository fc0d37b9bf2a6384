/**
 * Measures the git engine against starting git for each request, on repositories made for it. Ratios count, not rates.
 * Run after a build: `node apps/repository/bench/git.bench.mjs`; prints a table and, as the last line, JSON.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import engineModule from '../dist/git/engine.js';

const { GitEngine } = engineModule;

const FILES = 10_000;
const FILE_BYTES = 4000;

function run(folder, args) {
  return execFileSync('git', args, {
    cwd: folder,
    maxBuffer: 1 << 30,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  });
}

function spawned(args) {
  return new Promise((resolve) => {
    let size = 0;
    const child = spawn('git', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.on('data', (chunk) => (size += chunk.length));
    child.once('close', () => resolve(size));
  });
}

/** Calls a second, by `lanes` callers at once, over about `ms` milliseconds. */
async function rate(work, ms = 2000, lanes = 4) {
  await work(0);
  const start = performance.now();
  let count = 0;
  const lane = async () => {
    while (performance.now() - start < ms) await work(count++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (count * 1000) / (performance.now() - start);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function seconds(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

function buildLarge(folder) {
  const work = join(folder, 'work');
  mkdirSync(join(work, 'many'), { recursive: true });
  run(work, ['init', '-q', '-b', 'main']);
  for (let n = 0; n < FILES; n++) {
    const text = randomBytes(FILE_BYTES / 4).toString('hex');
    writeFileSync(join(work, 'many', `file-${String(n).padStart(5, '0')}.txt`), `${text}\n`.repeat(2));
  }
  run(work, ['add', '.']);
  run(work, ['-c', 'user.name=b', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', 'Many files']);
  return work;
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'moothall-bench-'));
  const engine = new GitEngine({ storageName: 'default', storageRoot: join(folder, 'storage') });
  try {
    await engine.start();
    const work = buildLarge(folder);
    const repository = await engine.storage.create(1);
    run(work, ['push', '-q', repository, 'main']);
    const figures = [
      await trees(engine, repository),
      ...(await blobs(engine, repository)),
      await archives(engine, repository),
      ...(await contributors(engine)),
    ];
    for (const { name, ratio, ours, theirs, goal } of figures) {
      console.log(
        `${ratio >= goal ? 'ok  ' : 'MISS'} ${name.padEnd(34)} ${ratio.toFixed(2).padStart(8)} (goal ${goal.toFixed(2)})   ours ${ours}, git ${theirs}`,
      );
    }
    console.log(JSON.stringify(figures));
  } finally {
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A page of 20 of a folder with 10,000 entries, the ref resolved anew each time, against `git ls-tree`. */
async function trees(engine, repository) {
  const ours = await rate(async (n) => {
    const commit = await engine.commits.find(repository, 'main');
    const page = await engine.trees.list(repository, commit.treeId, {
      path: 'many',
      start: { offset: (n * 20) % FILES },
      limit: 20,
    });
    if (page?.entries.length !== 20) throw new Error('a page is not whole');
  });
  const theirs = await rate(() => spawned([`--git-dir=${repository}`, 'ls-tree', 'main', 'many/']));
  return figure('tree page of 10,000 entries', ours, theirs, 20);
}

/** Random blobs read through the pool the first time, and again from the cache, against `git cat-file`. */
async function blobs(engine, repository) {
  const ids = run(repository, ['ls-tree', '-r', 'main'])
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.slice(12, 52));
  const read = async (n) => {
    const blob = await engine.objects.read(repository, ids[(n * 7919) % ids.length], 10 << 20);
    if (!blob) throw new Error('a blob is missing');
  };
  const theirs = await rate((n) =>
    spawned([`--git-dir=${repository}`, 'cat-file', 'blob', ids[(n * 7919) % ids.length]]),
  );
  const start = performance.now();
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let n = lane; n < ids.length; n += 4) await read(n);
    }),
  );
  const cold = (ids.length * 1000) / (performance.now() - start);
  return [figure('blobs, first read', cold, theirs, 20), figure('blobs, read again', await rate(read), theirs, 20)];
}

/** tar.gz of everything against `git archive | gzip`, alternating so that noise hits both. */
async function archives(engine, repository) {
  const ours = [];
  const theirs = [];
  for (let round = 0; round < 5; round++) {
    theirs.push(await seconds(() => pipeToNothing('sh', ['-c', `git --git-dir='${repository}' archive main | gzip`])));
    ours.push(
      await seconds(async () => {
        const { stream } = await engine.archives.open(repository, { project: 'p', ref: 'main', format: 'tar.gz' });
        for await (const chunk of stream) if (chunk.length === 0) throw new Error('empty chunk');
      }),
    );
  }
  const [a, b] = [median(ours), median(theirs)];
  return { name: 'archive tar.gz', ratio: b / a, ours: `${a.toFixed(2)} s`, theirs: `${b.toFixed(2)} s`, goal: 0.9 };
}

/** 50,000 commits of 40 people: the first answer against shortlog and numstat, and an answer after one more commit. */
async function contributors(engine) {
  const repository = await engine.storage.create(2);
  const person = (n) => `Person ${n % 40} <p${n % 40}@example.com> ${1_400_000_000 + n * 60} +0000`;
  const commit = (n) => {
    const text = `line ${n}\n`.repeat((n % 20) + 1);
    return `commit refs/heads/main\ncommitter ${person(n)}\ndata 1\nx\nM 100644 inline f${n % 500}\ndata ${text.length}\n${text}\n`;
  };
  const stream = Array.from({ length: 50_000 }, (_, n) => commit(n)).join('');
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input: stream, maxBuffer: 1 << 30 });
  const first = await seconds(() => engine.contributors.list(repository, 'main'));
  const onItsOwn = await seconds(async () => {
    await pipeToNothing('git', [`--git-dir=${repository}`, 'shortlog', '-sne', 'main']);
    await pipeToNothing('git', [
      `--git-dir=${repository}`,
      'log',
      '--no-merges',
      '-2000',
      '--format=%ae',
      '--numstat',
      'main',
    ]);
  });
  const later = [];
  for (let round = 0; round < 5; round++) {
    const write = {
      branch: 'main',
      message: 'm',
      author: { name: 'a', email: 'a@example.com' },
      committer: { name: 'a', email: 'a@example.com' },
    };
    await engine.commitWriter.write(repository, {
      ...write,
      actions: [{ action: 'create', filePath: `new-${round}`, content: 'x' }],
    });
    later.push(await seconds(() => engine.contributors.list(repository, 'main')));
  }
  const ms = (value) => `${Math.round(value * 1000)} ms`;
  return [
    {
      name: 'contributors, first answer',
      ratio: onItsOwn / first,
      ours: ms(first),
      theirs: ms(onItsOwn),
      goal: 1 / 1.2,
    },
    {
      name: 'contributors, 50 ms after a push',
      ratio: 0.05 / median(later),
      ours: ms(median(later)),
      theirs: '50 ms',
      goal: 1,
    },
  ];
}

function pipeToNothing(command, args) {
  return new Promise((resolve) => {
    spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      .once('close', () => resolve())
      .stdout.resume();
  });
}

function figure(name, ours, theirs, goal) {
  return { name, ratio: ours / theirs, ours: `${Math.round(ours)}/s`, theirs: `${Math.round(theirs)}/s`, goal };
}

await main();
