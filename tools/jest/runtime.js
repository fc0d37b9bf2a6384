const asyncHooks = require('node:async_hooks');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { default: Runtime } = require('jest-runtime');

const root = path.resolve(__dirname, '../..');
const circus = path.join(path.dirname(require.resolve('jest-circus/runner')), 'jestAdapterInit.js');
const ofWorkspace = /^@moothall\//;
/** Modules that belong to one test file, because they use that file's `it` or configure its services. */
const testCode = /\/test\/|\/libs\/testing\/|\/apps\/e2e\/src\/|\.(spec|chaos)\.tsx?$/;

/** Compiled modules are shared by all projects: Jest's own cache is per project. */
const compiled = path.join(root, 'node_modules/.cache/moothall/jest');
const compiler = [require('@swc/core').version, readFileSync(path.join(root, '.swcrc'))].join('\n');
mkdirSync(compiled, { recursive: true });

/** That of the running file. */
let current;
/**
 * The AsyncLocalStorages of jest-circus. Node does work for each enabled one at every promise, so a file disables its
 * own.
 */
const storages = new Set();
const sourceMaps = new Map();

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolve(request, parent, ...rest) {
  if (current && ofWorkspace.test(request)) return current.resolveSource(parent.filename, request);
  return resolveFilename.call(this, request, parent, ...rest);
};
for (const extension of ['.ts', '.tsx'])
  Module._extensions[extension] = (module, filename) => module._compile(current.compile(filename), filename);

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Atomic, because other processes may read it. */
function write(file, { code, sourceMapPath }) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify({ code, sourceMapPath }));
  renameSync(mine, file);
  return { code, sourceMapPath };
}

/**
 * Loads modules like Node: packages and sources once per process for all test files, test code for each file. Jest's
 * own runtime loads everything for every file, which takes longer than most files run.
 */
module.exports = class SharingRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, cacheFS, options, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, options, testPath, globalConfig);
    this.resolveSource = (from, request) =>
      resolver.resolveModule(from, request, { conditions: environment.exportConditions() });
    this.transform = (filename, source) => transformer.transform(filename, options, source);
    // Sources may change between two runs in watch mode.
    this.isWatched = globalConfig.watch || globalConfig.watchAll;
    current = this;
    globalThis.jest = this.requireModuleOrMock(testPath, '@jest/globals').jest;
  }

  compile(filename) {
    const source = readFileSync(filename, 'utf8');
    const kept = path.join(compiled, createHash('sha1').update([compiler, filename, source].join('\n')).digest('hex'));
    const { code, sourceMapPath } = read(kept) ?? write(kept, this.transform(filename, source));
    if (sourceMapPath) sourceMaps.set(filename, sourceMapPath);
    return code;
  }

  requireModule(from, moduleName) {
    return Module.createRequire(from)(moduleName ?? from);
  }

  requireInternalModule(from, moduleName) {
    // It stores the tests of its file.
    delete require.cache[circus];
    const { AsyncLocalStorage } = asyncHooks;
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor() {
        super();
        storages.add(this);
      }
    };
    try {
      return this.requireModule(from, moduleName);
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  setMock(_from, moduleName) {
    throw new Error(`${moduleName} is loaded already, and for other tests too: jest.mock would change nothing`);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  teardown() {
    for (const filename of Object.keys(require.cache)) {
      const isOurs = filename.startsWith(root) && !filename.includes('/node_modules/');
      if (isOurs && (this.isWatched || testCode.test(filename.slice(root.length)))) delete require.cache[filename];
    }
    for (const storage of storages) storage.disable();
    storages.clear();
    super.teardown();
  }
};
