/**
 * `npm run test:slow [-- <part> [<part of a path> ...]] [--record]`: runs the tests that need time, load, faults,
 * third-party programs or randomness, all parts or one. With `--record` each part adds a row to the table in
 * docs/testing.md.
 */
import './help.mjs';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tryPlaces } from './places.mjs';
import { print, root, run, runTool, SetUpError, setUp } from './set-up.mjs';
import { installClients, installClock, installTestPrograms } from './test-programs.mjs';
import { runJest } from './tests/jest.mjs';
import { report } from './tests/report.mjs';

const parts = {
  chaos,
  'own-servers': (patterns) => jest('own-servers', { patterns }),
  // Every end-to-end test on two processes of each service behind two gateways, and the whole access matrix.
  replicas: (patterns) => jest('e2e', { patterns, env: { E2E_REPLICAS: '2', ACCESS: 'all' } }),
  fuzz,
  clients: (patterns) => jest('clients', { patterns, env: { STORAGE_MOVE_GRACE: '10' } }),
  release: () => ({
    checks: [
      runTools('the release', ['release.mjs'], ['rehearse-release.mjs']),
      runTools('the npm package', ['rehearse-npm.mjs']),
    ],
  }),
  places: async (patterns) => ({ checks: await tryPlaces(patterns) }),
  bench: (patterns) => jest('bench', { patterns }),
};

await runTool(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { record: { type: 'boolean' } } });
  const [only, ...patterns] = positionals;
  if (only && !parts[only])
    throw new SetUpError(`There is no part "${only}". Parts: ${Object.keys(parts).join(', ')}.`);
  setUp();
  installTestPrograms();
  installClients();
  const results = { checks: [], runs: [] };
  for (const name of only ? [only] : Object.keys(parts)) {
    print(`\n== ${name}`);
    const startedAt = Date.now();
    const result = await parts[name](patterns);
    const counts = report(result);
    if (values.record) record(name, Math.round((Date.now() - startedAt) / 1000), counts);
    results.checks.push(...(result.checks ?? []));
    results.runs.push(...(result.runs ?? []));
  }
  if (!only) {
    print('\n== all parts');
    report(results);
  }
});

/** One file after the other: they start whole servers. */
async function jest(kind, options) {
  return { runs: [await runJest(kind, { workers: 1, ...options })] };
}

/** In a separate network namespace, if this user may create one, so that it can be interrupted. */
function chaos(patterns) {
  installClock();
  const inOwnNetwork = [
    'unshare',
    '--net',
    'sh',
    '-c',
    'ip link set lo up && iptables -w -L INPUT >/dev/null && ss -Ht >/dev/null && exec "$@"',
    'sh',
  ];
  const [program, ...args] = inOwnNetwork;
  const mayCut = run(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
  return jest('chaos', { patterns, ...(mayCut && { command: inOwnNetwork, env: { CHAOS_NETWORK: 'own' } }) });
}

/**
 * Hostile values for every operation, for `FUZZ_MINUTES`, then all property tests, with random seeds that are printed.
 */
async function fuzz() {
  const { FUZZ_SEED = String(randomInt(1, 2 ** 31)), PROPERTY_SEED = FUZZ_SEED } = process.env;
  print(`To repeat it: FUZZ_SEED=${FUZZ_SEED} PROPERTY_SEED=${PROPERTY_SEED} npm run test:slow -- fuzz`);
  const env = { FUZZ_SEED, PROPERTY_SEED };
  const files = ['apps', 'libs'].map((folder) => path.join(root, folder));
  const found = execFileSync(
    'grep',
    ['-rl', '--include=*.spec.ts', '--include=*.spec.tsx', '--exclude-dir=node_modules', "'fast-check'", ...files],
    {
      encoding: 'utf8',
    },
  );
  const properties = found.trim().split('\n');
  const isUnit = (file) => /\/src\//.test(path.relative(root, file));
  return {
    runs: [
      await runJest('fuzz', { workers: 1, env }),
      await runJest('unit', { only: properties.filter(isUnit), env }),
      await runJest('integration', { only: properties.filter((file) => !isUnit(file)), env }),
    ],
  };
}

/** @returns one check with that name, passed if each tool succeeded */
function runTools(name, ...tools) {
  const isWell = tools.every(
    ([tool, ...args]) => run(process.execPath, [path.join(root, 'tools', tool), ...args]).status === 0,
  );
  return { name, isWell };
}

function record(part, seconds, { passed, failed }) {
  const page = path.join(root, 'docs/testing.md');
  const marker = '<!-- slow runs -->\n';
  const commit = run('git', ['rev-parse', '--short', 'HEAD'], { stdio: 'pipe', encoding: 'utf8' }).stdout.trim();
  const row = `| ${part} | ${new Date().toISOString().slice(0, 10)} | ${commit} | ${seconds} | ${passed} | ${failed} |\n`;
  writeFileSync(page, readFileSync(page, 'utf8').replace(marker, `${row}${marker}`));
}
