import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  nx?: { targets: object };
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));

const projects = ['apps', 'libs'].flatMap((kind) =>
  readdirSync(path.join(root, kind))
    .map((name) => `${kind}/${name}`)
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(folder) })),
);

/** The code before the name of a package, as biome formats it. */
const importing =
  /(?:^(?:import|export|\}).* from |^import |(?<![\w.])(?:import|require|require\.resolve)\()'([^'.][^'\n]*)'/gm;

const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function packagesIn(folder: string, isMeant: (file: string) => boolean): Set<string> {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const code = files.filter(
    (file) => /\.(tsx?|js|mjs)$/.test(file) && !/(^|\/)(dist|node_modules|test-output)\//.test(file),
  );
  const texts = code.filter(isMeant).map((file) => readFileSync(path.join(root, folder, file), 'utf8'));
  const specifiers = texts.flatMap((text) => [...text.matchAll(importing)].map(([, specifier]) => specifier!));
  // The compiler adds the import of the functions that JSX calls.
  if (code.some((file) => isMeant(file) && file.endsWith('.tsx'))) specifiers.push('preact');
  return new Set(specifiers.filter((specifier) => !isBuiltin(specifier)).map(packageOf));
}

/** Code that runs in a server; the rest is for tests and measurements. */
const isShipped = (file: string): boolean => file.startsWith('src/') && !/\.spec\.tsx?$/.test(file);
const isOnlyTests = (folder: string): boolean => folder === 'apps/e2e';

/** Peer dependencies are named by the package that names their owner. */
const peersOf = (names: string[]): Set<string> =>
  new Set(names.flatMap((name) => Object.keys(readManifest(`node_modules/${name}`).peerDependencies ?? {})));

describe.each(projects)('$folder/package.json', ({ folder, manifest }) => {
  const { name, dependencies = {}, devDependencies = {} } = manifest;
  const shipped = isOnlyTests(folder) ? new Set<string>() : packagesIn(folder, isShipped);
  const all = packagesIn(folder, () => true);
  for (const used of [shipped, all]) used.delete(name);

  // Regression: biome configurations in folders without the lint target were never used.
  it.each([
    ['test', 'src'],
    ['integration', 'test'],
  ])('has the target %s where specs are in %s', (target, place) => {
    const there = path.join(root, folder, place);
    const files = existsSync(there) ? readdirSync(there, { recursive: true, encoding: 'utf8' }) : [];
    expect(target in (manifest.nx?.targets ?? {})).toBe(files.some((file) => /\.spec\.tsx?$/.test(file)));
  });

  it('lists the imports of its code', () => {
    expect([...shipped].filter((used) => !(used in dependencies))).toEqual([]);
    expect([...all].filter((used) => !(used in dependencies || used in devDependencies))).toEqual([]);
  });

  it('lists nothing else', () => {
    const named = Object.keys(dependencies);
    expect(named.filter((used) => !shipped.has(used) && !peersOf(named).has(used))).toEqual([]);
    expect(Object.keys(devDependencies).filter((used) => !all.has(used) || used in dependencies)).toEqual([]);
  });
});

describe('pages on dependencies', () => {
  const page = ['dependencies', 'dependencies-development']
    .map((name) => readFileSync(path.join(root, `docs/${name}.md`), 'utf8'))
    .join('\n');
  const rowsOf = (heading: string) => {
    const [table = ''] = page.split(`## ${heading}\n`).slice(1);
    return [...table.split('\n## ')[0]!.matchAll(/^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name!);
  };
  const own = new Set(projects.map(({ manifest }) => manifest.name));
  const manifests = [readManifest('.'), ...projects.map(({ manifest }) => manifest)];
  const namesOf = (kind: 'dependencies' | 'devDependencies') =>
    new Set(manifests.flatMap((manifest) => Object.keys(manifest[kind] ?? {})).filter((name) => !own.has(name)));
  const shipped = namesOf('dependencies');

  it('describe every runtime package, and no other', () => {
    expect(rowsOf('What runs in a server')).toEqual([...shipped].sort());
  });

  it('describe every other package', () => {
    const others = [...namesOf('devDependencies')].filter((name) => !shipped.has(name));
    expect(rowsOf('What only builds, tests and measures')).toEqual(others.sort());
  });
});

it('every package has one version', () => {
  const asked = new Map<string, Set<string>>();
  for (const { dependencies, devDependencies } of [readManifest('.'), ...projects.map(({ manifest }) => manifest)])
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
      asked.set(name, (asked.get(name) ?? new Set()).add(range));
  expect([...asked].filter(([, ranges]) => ranges.size > 1)).toEqual([]);
});
