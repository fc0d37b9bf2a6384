/**
 * `npm run bench [-- name …]`: measures the built server, beside a floor in the same run wherever there is one. Prints
 * a table with the figures of the last run beside the new ones, and stores it as JSON in test-output/figures.json. Only
 * ratios are comparable between machines. `--short` runs everything with less data, to check that it works, and stores
 * nothing.
 */
import './help.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measureArchive } from './bench/archive.mjs';
import { measureArtifacts } from './bench/artifacts.mjs';
import { measureGeo } from './bench/geo.mjs';
import { measureGrowth } from './bench/growth.mjs';
import { measureHooks } from './bench/hooks.mjs';
import { measureJsonRead } from './bench/json-read.mjs';
import { measureLfs } from './bench/lfs.mjs';
import { measureMix } from './bench/mix.mjs';
import { measureNotes } from './bench/notes.mjs';
import { measurePageSizes } from './bench/page-sizes.mjs';
import { measurePages } from './bench/pages.mjs';
import { measurePeer } from './bench/peer.mjs';
import { measureReads } from './bench/reads.mjs';
import { measureRegistry } from './bench/registry.mjs';
import { measureReplicas } from './bench/replicas.mjs';
import { measureShares } from './bench/shares.mjs';
import { measureSsh } from './bench/ssh.mjs';
import { memoryOf, startStack } from './bench/stack.mjs';
import { measureTraces } from './bench/traces.mjs';
import { measureTransport } from './bench/transport.mjs';
import { measureUsers } from './bench/users.mjs';
import { measureVulnerabilities } from './bench/vulnerabilities.mjs';
import { measureWikisAndMirrors } from './bench/wikis-mirrors.mjs';
import { print, root, runTool, setUp } from './set-up.mjs';

/** Starting leaves memory behind, which is returned within a minute. */
async function measureIdle(stack, { isShort }) {
  await delay(isShort ? 1000 : 60_000);
  return [
    {
      figure: 'memory of the whole idle server, a minute after the start',
      value: `${memoryOf(stack.pid)} MB`,
      goal: 'at most 450 MB',
    },
  ];
}

const measurements = {
  idle: measureIdle,
  json: measureJsonRead,
  reads: measureReads,
  transport: measureTransport,
  ssh: measureSsh,
  hosting: measureWikisAndMirrors,
  shares: measureShares,
  archive: measureArchive,
  artifacts: measureArtifacts,
  lfs: measureLfs,
  users: measureUsers,
  notes: measureNotes,
  growth: measureGrowth,
  registry: measureRegistry,
  vulnerabilities: measureVulnerabilities,
  hooks: measureHooks,
  mix: measureMix,
  pages: measurePages,
  'page-sizes': measurePageSizes,
  traces: measureTraces,
  replicas: measureReplicas,
  geo: measureGeo,
  peer: measurePeer,
};

async function measureStart(stack) {
  return [
    {
      figure: 'ready after the start (built and installed)',
      value: `${stack.readySeconds.toFixed(1)} s`,
      goal: 'under 10 s',
    },
    { figure: 'memory of the whole idle server', value: `${memoryOf(stack.pid)} MB`, goal: 'under 900 MB' },
  ];
}

/** The git engine's own benchmark, which prints its figures as JSON on the last line. */
function measureEngine() {
  const script = path.join(root, 'apps/repository/bench/git.bench.mjs');
  const output = execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const figures = JSON.parse(output.trim().split('\n').at(-1));
  return figures.map(({ name, ours, theirs, ratio, goal }) => ({
    figure: `git engine: ${name}`,
    value: ours,
    floor: theirs,
    ratio,
    goal,
  }));
}

const shown = (ratio) => (ratio === undefined ? '' : ratio.toFixed(2));

/** @param before rows of the last run, by figure */
function render(rows, before) {
  const cells = rows.map(({ figure, value, floor = '', ratio, goal }) => {
    const { value: then = '', ratio: thenRatio } = before.get(figure) ?? {};
    const last = [then, shown(thenRatio)].filter(Boolean).join('; ');
    const wanted = typeof goal === 'number' ? `at least ${Math.round(goal * 100) / 100}` : goal;
    return [figure, value, floor, shown(ratio), wanted, last];
  });
  return [
    '| figure | measured | floor | ratio | goal | before; ratio |',
    '| --- | --- | --- | --- | --- | --- |',
    ...cells.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

await runTool(setUp);
const file = path.join(root, 'test-output/figures.json');
mkdirSync(path.dirname(file), { recursive: true });
const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : [];
const before = new Map(kept.map((row) => [row.figure, row]));
const isShort = process.argv.includes('--short');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--short');
const rows = [];
const stack = await startStack();
try {
  rows.push(...(await measureStart(stack)));
  for (const [name, measure] of Object.entries(measurements)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    print(`measuring ${name}`);
    rows.push(...(await measure(stack, { isShort })));
  }
} finally {
  await stack.stop();
}
if (wanted.length === 0 || wanted.includes('engine')) rows.push(...measureEngine());
const machine = `${cpus().length} × ${cpus()[0].model}, Node ${process.version}`;
// Figures that were not measured this time stay unchanged.
const all = [...new Map([...before, ...rows.map((row) => [row.figure, row])]).values()];
if (!isShort) writeFileSync(file, JSON.stringify({ machine, at: new Date().toISOString(), rows: all }, null, 2));
print(`${machine}\n\n${render(rows, before)}`);
