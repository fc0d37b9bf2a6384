/** The unit tests of all apps as one project: what mutation runs hold against the rules. */
const { projects } = require('../../jest.config.js');

const { displayName, ...unit } = projects.find((project) => project.displayName === 'unit');

module.exports = { ...unit, rootDir: `${__dirname}/../..`, testMatch: ['<rootDir>/apps/*/src/**/*.spec.ts'] };
