/** The unit tests of all apps as one project: what mutation runs hold against the rules. */
const { projects } = require('../../jest.config.js');

// Rules that were changed are loaded again.
const { displayName, runtime, ...unit } = projects.find((project) => project.displayName === 'unit');

module.exports = {
  ...unit,
  rootDir: `${__dirname}/../..`,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/apps/*/src/**/*.spec.ts'],
  // They would run for each change.
  testPathIgnorePatterns: ['/large-files.spec.ts$'],
};
