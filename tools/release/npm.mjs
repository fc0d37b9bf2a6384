/** The npm package `moothall`: it contains our packages; third-party ones are its dependencies. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Further files besides our packages. */
const others = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'clients',
  'tools/start.mjs',
  'tools/set-up.mjs',
  'tools/help.mjs',
  'tools/progress.mjs',
];

/**
 * @param built folder of a checkout whose projects are built
 * @param target folder that the package is written to. @returns its file
 */
export function packNpm(built, target) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-npm-'));
  try {
    lay(built, folder);
    mkdirSync(target, { recursive: true });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', path.resolve(target)];
    const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }));
    return path.join(target, filename);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lay(built, folder) {
  const projects = neededBy('@moothall/standalone', readProjects(built));
  for (const { at, manifest } of projects) layProject(at, manifest, path.join(folder, 'node_modules', manifest.name));
  for (const one of others) cpSync(path.join(built, one), path.join(folder, one), { recursive: true });
  const { name, version, description, license, engines } = readJson(path.join(built, 'package.json'));
  const ours = Object.fromEntries(projects.map((project) => [project.manifest.name, project.manifest.version]));
  const manifest = {
    name,
    version,
    description,
    license,
    engines,
    bin: { [name]: 'tools/start.mjs' },
    exports: {
      './testing': {
        types: './clients/node/index.d.ts',
        default: './clients/node/index.js',
      },
    },
    dependencies: { ...packagesOfOthers(built, projects), ...ours },
    bundleDependencies: Object.keys(ours),
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Without its dependencies, which the package has, and without source maps, which are as large as everything else. */
function layProject(from, { name, version, main, exports }, to) {
  mkdirSync(to, { recursive: true });
  cpSync(path.join(from, 'dist'), path.join(to, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  });
  writeFileSync(path.join(to, 'package.json'), JSON.stringify({ name, version, main, exports }));
}

function readProjects(built) {
  const folders = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(path.join(built, kind)).map((name) => path.join(built, kind, name)),
  );
  const found = folders.filter((at) => existsSync(path.join(at, 'package.json')));
  return new Map(
    found.map((at) => {
      const manifest = readJson(path.join(at, 'package.json'));
      return [manifest.name, { at, manifest }];
    }),
  );
}

function neededBy(name, projects, needed = new Set()) {
  const project = projects.get(name);
  if (!project || needed.has(project)) return [...needed];
  needed.add(project);
  for (const one of Object.keys(project.manifest.dependencies ?? {})) neededBy(one, projects, needed);
  return [...needed];
}

/** @returns their versions in the lock file, which the tests have used */
function packagesOfOthers(built, projects) {
  const { packages } = readJson(path.join(built, 'package-lock.json'));
  const names = projects.flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}));
  const ours = new Set(projects.map(({ manifest }) => manifest.name));
  const wanted = [...new Set(names)].filter((name) => !ours.has(name)).sort();
  return Object.fromEntries(wanted.map((name) => [name, packages[`node_modules/${name}`].version]));
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
