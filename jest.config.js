/**
 * One configuration for every project; Nx passes --rootDir.
 * `unit` is beside the code and touches nothing outside the process;
 * `integration` is in test/ and runs against real NATS, Redis and MongoDB protocol;
 * `e2e` drives the whole server, started once for all files but for those that start their own, with real clients;
 * `fuzz` and `drill` start servers of their own.
 */
// Packages that come as ES modules only; Node 20.19 requires them as they are, Jest has them translated.
const esModules =
  '(@scalar/[a-z-]+|github-slugger|archiver|zip-stream|compress-commons|crc32-stream|is-stream|proxy-chain|socks-proxy-agent|agent-base)';

// Answers are held against JSON schemas where somebody names a folder of them.
const withoutSchemas = process.env.RESPONSE_SCHEMAS ? [] : ['/response-schemas/'];

/*
 * Files of end-to-end tests that start servers of their own, and need none that is started for all. `npm test` runs them
 * beside the others (E2E_SERVERS); otherwise nothing tells them from the others.
 */
const withOwnServers = [
  'at-once/changes-at-once',
  'clients/ephemeral',
  'drill/short-drill',
  'geo/two-sites',
  'projects/kill-drill',
  'projects/plan-limits',
  'projects/project-kill-drill',
  'repository/lfs-import-drill',
  'repository/out-of-room',
  'server/backup',
  'server/bench',
  'server/crash',
  'server/key-rotation',
  'server/large-answers',
  'server/move-database',
  'server/one-request',
  'server/rolling-restart',
].map((name) => `/src/${name}\\.e2e\\.ts$`);
const isOfOwn = process.env.E2E_SERVERS === 'own';
const others = process.env.E2E_SERVERS === 'shared' ? withOwnServers : [];

const shared = {
  testEnvironment: `${__dirname}/tools/jest/environment.js`,
  runtime: `${__dirname}/tools/jest/runtime.js`,
  testEnvironmentOptions: { customExportConditions: ['@moothall/source', 'node', 'require', 'default'] },
  transform: { '^.+\\.ts$': ['@swc/jest'], [`/node_modules/${esModules}/.+\\.js$`]: ['@swc/jest'] },
  transformIgnorePatterns: [`/node_modules/(?!${esModules}/)`],
};

// A temporary folder for each run, so that nothing is left behind.
const ownFolder = {
  globalSetup: `${__dirname}/tools/jest/set-up.js`,
  globalTeardown: `${__dirname}/tools/jest/tear-down.js`,
};

module.exports = {
  passWithNoTests: false,
  // `npm test` runs several projects at once instead, each in one process: what it loads is loaded once.
  maxWorkers: Number(process.env.JEST_WORKERS ?? 2),
  // For a machine that does much else meanwhile; nothing here waits by the clock, and what holds by it says so itself.
  testTimeout: 120_000,
  // What a service that was to fail at its start leaves open, as a connection that waits for its NATS, would be waited for.
  forceExit: true,
  projects: [
    // They start servers of their own, which others could not use beside them.
    { ...shared, ...ownFolder, displayName: 'fuzz', testMatch: ['<rootDir>/src/**/*.fuzz.ts'] },
    { ...shared, ...ownFolder, displayName: 'drill', testMatch: ['<rootDir>/src/**/*.drill.ts'] },
    { ...shared, ...ownFolder, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    { ...shared, ...ownFolder, displayName: 'integration', testMatch: ['<rootDir>/test/**/*.spec.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      ...(isOfOwn
        ? { ...ownFolder, testRegex: withOwnServers }
        : {
            testMatch: ['<rootDir>/src/**/*.e2e.ts'],
            globalSetup: `${__dirname}/apps/e2e/src/server/start.ts`,
            globalTeardown: `${__dirname}/apps/e2e/src/server/stop.ts`,
          }),
      testPathIgnorePatterns: ['/node_modules/', ...withoutSchemas, ...others],
    },
  ],
};
