import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The package as others get it: packed, installed by npm into an empty folder, used by the README's first script. */

const packageFolder = path.join(__dirname, '..');
const repository = path.join(packageFolder, '../..');
const { name, version, dependencies } = readJson(packageFolder);
let folder: string;
let tarball: string;

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'embedded-mongo-package-'));
  // It was built before; a new build would remove the program during tests that run beside this one.
  run(packageFolder, 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder);
  tarball = path.join(folder, `${name}-${version}.tgz`);
  const beside = ['mongodb', '@types/node'];
  // Named, or npm would remove them.
  const named = Object.fromEntries(beside.map((wanted) => [wanted, '*']));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: named }));
  // The registry may be unreachable, so declared dependencies are copied to where npm would install them.
  for (const wanted of [...Object.keys(dependencies!), ...beside]) place(wanted, repository, folder);
  run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--no-save', tarball);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('contains the program, its types and its documentation, and no tests', () => {
  const files = run(folder, 'tar', '-tzf', tarball).trim().split('\n');
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/main.js', 'dist/index.js', 'dist/index.d.ts']) {
    expect(files).toContain(`package/${file}`);
  }
  expect(files.filter((file) => !/^package\/(dist\/|[A-Z]+(\.md)?$|package\.json$)|\.spec\./.test(file))).toEqual([]);
});

it('runs the first script of the README, repeatedly with the same data', () => {
  const script = /```js\n\/\/ first\.mjs\n(.*?)```/s.exec(
    readFileSync(path.join(packageFolder, 'README.md'), 'utf8'),
  )![1]!;
  writeFileSync(path.join(folder, 'first.mjs'), script);
  for (const loans of [1, 2]) {
    expect(run(folder, process.execPath, 'first.mjs')).toContain(
      `{ _id: 'moby-dick', loans: ${loans}, title: 'Moby Dick', year: 1851 }`,
    );
  }
}, 120_000);

it('has a program that npm puts in place', () => {
  expect(() => run(folder, 'node_modules/.bin/embedded-mongo')).toThrow(/--dbpath is missing/);
});

it('has types that pass a strict compiler', () => {
  const source = `
    import { type Log, MongoServer, type Scan, type ServerOptions } from 'embedded-mongo';
    const log: Log = (event, details) => console.log(event, details);
    const options: ServerOptions = {
      dbPath: 'data', listen: { port: 0 }, sortMemoryBytes: 1, log, onFailure() {}, onScan: (scan: Scan) => log(scan.filter),
    };
    export const uri: Promise<string> = MongoServer.start(options).then((server) => server.uri);
    // @ts-expect-error a server listens somewhere
    export const nowhere: ServerOptions = { dbPath: 'data', sortMemoryBytes: 1, log, onFailure() {} };
  `;
  writeFileSync(path.join(folder, 'typed.mts'), source);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  run(folder, path.join(repository, 'node_modules/.bin/tsc'), ...options, 'typed.mts');
}, 120_000);

/** @throws Error with the output of the command */
function run(cwd: string, command: string, ...args: string[]): string {
  try {
    // Its output is compared, so it has no colours in any terminal.
    const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' };
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe', env });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

/** Copies a package and its dependencies recursively from the repository. */
function place(wanted: string, from: string, into: string): void {
  const source = find(wanted, from);
  // Optional ones of other systems are missing.
  if (!source) return;
  const target = path.join(into, 'node_modules', path.relative(path.join(repository, 'node_modules'), source));
  if (existsSync(target)) return;
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(source, target, {
    recursive: true,
    filter: (file) => !path.relative(source, file).startsWith('node_modules'),
  });
  const { dependencies = {}, optionalDependencies = {} } = readJson(source);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) place(name, source, into);
}

/** The folder in which Node would find a package for code in a folder, within the repository. */
function find(wanted: string, from: string): string | undefined {
  for (let at = from; at.startsWith(repository); at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', wanted);
    if (existsSync(folder)) return folder;
  }
  return undefined;
}

function readJson(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
