/**
 * The name of a file says when it runs (docs/testing.md). `npm test` runs the first four kinds, `npm run test:slow` the
 * others. One file: `npx jest apps/identity/test/tokens`.
 *
 * | kind          | files                 | what it is                                                                    |
 * | ------------- | --------------------- | ----------------------------------------------------------------------------- |
 * | `unit`        | `src/**` `*.spec.ts`  | beside the code; touches nothing outside the process                          |
 * | `integration` | `test/**` `*.spec.ts` | one service or lib on real NATS, Redis and MongoDB protocol                   |
 * | `e2e`         | `*.e2e.ts`            | the whole server, started once for all files, with clients of npm             |
 * | `budgets`     | `*.budget.ts`         | the same server with traces, to count what operations wait for                |
 * | `clients`     | `*.client.ts`         | the same server with programs of others: Python, Ruby, skopeo, git-lfs        |
 * | `own-servers` | `*.server.ts`         | whole servers that a file starts for itself                                   |
 * | `chaos`       | `*.chaos.ts`          | kills, hangs, full disks, load, and everything that depends on elapsed time   |
 * | `fuzz`        | `*.fuzz.ts`           | random input                                                                  |
 * | `bench`       | `*.bench.ts`          | short runs of the benchmarks                                                  |
 */
const { readFileSync } = require('node:fs');

// Packages that come as ES modules only; Node 20.19 requires them as they are, Jest has them translated.
const esModules =
  '(@scalar/[a-z-]+|github-slugger|archiver|zip-stream|compress-commons|crc32-stream|is-stream|proxy-chain|socks-proxy-agent|agent-base)';

// Answers are compared with JSON schemas where the environment names a folder of them.
const withoutSchemas = process.env.RESPONSE_SCHEMAS ? [] : ['/response-schemas/'];

// @swc/jest itself reads only a .swcrc with a single configuration.
const [{ test: _ts, ...typescript }, { test: _tsx, ...jsx }] = JSON.parse(readFileSync(`${__dirname}/.swcrc`, 'utf8'));

const shared = {
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testEnvironment: `${__dirname}/tools/jest/environment.js`,
  runtime: `${__dirname}/tools/jest/runtime.js`,
  testEnvironmentOptions: { customExportConditions: ['@moothall/source', 'node', 'require', 'default'] },
  setupFiles: [`${__dirname}/tools/jest/fixed-seed.js`],
  transform: {
    '^.+\\.tsx$': ['@swc/jest', jsx],
    '^.+\\.ts$': ['@swc/jest', typescript],
    [`/node_modules/${esModules}/.+\\.js$`]: ['@swc/jest', typescript],
  },
  transformIgnorePatterns: [`/node_modules/(?!${esModules}/)`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...withoutSchemas],
};

// A temporary folder for each run, so that nothing is left behind.
const ownFolder = {
  ...shared,
  globalSetup: `${__dirname}/tools/jest/set-up.js`,
  globalTeardown: `${__dirname}/tools/jest/tear-down.js`,
};

const sharedServer = {
  ...shared,
  globalSetup: `${__dirname}/apps/e2e/src/server/start.ts`,
  globalTeardown: `${__dirname}/apps/e2e/src/server/stop.ts`,
};

const tracedServer = { ...sharedServer, globalSetup: `${__dirname}/apps/e2e/src/server/start-traced.ts` };

const anywhere = '<rootDir>/{apps,libs}/*/{src,test}/**';

module.exports = {
  passWithNoTests: false,
  maxWorkers: 2,
  // For a machine that is busy with other things; no test depends on it.
  testTimeout: 120_000,
  // A service that fails at its start, as a test wants, may leave a connection open.
  forceExit: true,
  projects: [
    { ...ownFolder, displayName: 'unit', testMatch: ['<rootDir>/{apps,libs}/*/src/**/*.spec.{ts,tsx}'] },
    { ...ownFolder, displayName: 'integration', testMatch: ['<rootDir>/{apps,libs}/*/test/**/*.spec.ts'] },
    { ...sharedServer, displayName: 'e2e', testMatch: [`${anywhere}/*.e2e.ts`] },
    { ...tracedServer, displayName: 'budgets', testMatch: [`${anywhere}/*.budget.ts`] },
    { ...sharedServer, displayName: 'clients', testMatch: [`${anywhere}/*.client.ts`] },
    { ...ownFolder, displayName: 'own-servers', testMatch: [`${anywhere}/*.server.ts`] },
    { ...ownFolder, displayName: 'chaos', testMatch: [`${anywhere}/*.chaos.ts`] },
    { ...ownFolder, displayName: 'fuzz', testMatch: [`${anywhere}/*.fuzz.ts`] },
    { ...ownFolder, displayName: 'bench', testMatch: [`${anywhere}/*.bench.ts`] },
  ],
};
