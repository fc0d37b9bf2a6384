const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// Property of jest-circus with the handlers of a file's declarations and runs.
const followers = Symbol.for('EVENT_HANDLERS');

/**
 * Sockets and child processes that outlive a file retain its tests by their async context. Without their functions
 * these retain no server.
 */
function forget({ hooks, children }) {
  for (const each of [...hooks, ...children]) {
    if (each.type === 'describeBlock') forget(each);
    else Object.assign(each, { fn: undefined, asyncError: undefined });
  }
}

function refuse() {
  throw new Error('this `it` or `describe` is that of a file which has ended: test code is kept in a shared module');
}

/**
 * Tests run in the context of their process, not in a separate one, so that modules loaded once (runtime.js) are shared
 * by all files. Changes of a file to the process are reverted at its end.
 */
module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    // Jest uses both kinds.
    this.fakeTimers = this.fakeTimersModern;
    const { exit } = process;
    this.before = { env: { ...process.env }, folder: process.cwd(), console: globalThis.console, exit };
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return null;
  }

  async setup() {}

  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') forget(rootDescribeBlock);
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    const { env, folder, console, exit } = this.before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.chdir(folder);
    process.exit = exit;
    globalThis.console = console;
    // Otherwise a test declared by such a module would be lost.
    globalThis[followers]?.splice(0, Number.POSITIVE_INFINITY, refuse);
    delete globalThis[followers];
  }
};
