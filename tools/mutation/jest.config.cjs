/** The unit tests of all apps as one project, for mutation runs. */
const { projects } = require('../../jest.config.js');

// Mutated modules are loaded again.
const { displayName, runtime, ...unit } = projects.find((project) => project.displayName === 'unit');

module.exports = {
  ...unit,
  rootDir: `${__dirname}/../..`,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{apps/*,libs/access}/src/**/*.spec.{ts,tsx}'],
  // They would run for each mutation.
  testPathIgnorePatterns: ['/large-files.spec.ts$'],
};
