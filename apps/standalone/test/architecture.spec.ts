import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Arrows, compareWithDrawing, drawRooms, findArrowsBack, readArrows } from './rooms';

const root = path.resolve(__dirname, '../../..');
/** Apps whose purpose is to put other apps together. */
const composers = ['standalone', 'e2e'];

interface Import {
  source: string;
  target: string;
}
interface Project {
  root: string;
  tags: string[];
}

jest.setTimeout(60_000);

describe('the direction of imports', () => {
  const layers = readLayers();
  const { projects, imports } = readGraph();
  const isApp = (name: string) => projects[name]!.tags.includes('type:app');
  const isLib = (name: string) => projects[name]!.tags.includes('type:lib');
  const layerOf = (name: string) => layers.get(name.replace('@moothall/', ''));

  it('has a layer for every lib', () => {
    const unknown = Object.keys(projects).filter((name) => isLib(name) && layerOf(name) === undefined);
    expect(unknown).toEqual([]);
  });

  it('is followed by every import', () => {
    expect(imports.flatMap(explainWrong)).toEqual([]);
  });

  it('finds imports at all', () => {
    expect(imports.length).toBeGreaterThan(5);
  });

  it('would name a wrong import and the reason', () => {
    expect(explainWrong({ source: '@moothall/gateway', target: '@moothall/identity' })[0]).toMatch(
      /^@moothall\/gateway imports @moothall\/identity: apps meet over contracts/,
    );
    expect(explainWrong({ source: '@moothall/config', target: '@moothall/gateway' })[0]).toMatch(/a lib serves apps/);
    expect(explainWrong({ source: '@moothall/config', target: '@moothall/service' })[0]).toMatch(/layer 0 .* layer 5/);
    expect(explainWrong({ source: '@moothall/standalone', target: '@moothall/identity' })).toEqual([]);
  });

  /** @returns the error in words, with the files, or nothing */
  function explainWrong({ source, target }: Import): string[] {
    const reason = findReason(source, target);
    if (!reason) return [];
    return [`${source} imports ${target}: ${reason}${listFiles(source, target)}`];
  }

  function findReason(source: string, target: string): string | undefined {
    if (isApp(target)) {
      if (!isApp(source)) return 'a lib serves apps and knows none of them.';
      const isComposer = composers.includes(source.replace('@moothall/', ''));
      return isComposer ? undefined : 'apps meet over contracts and never import each other.';
    }
    // Apps, and the tools that measure and test them.
    if (!isLib(source)) return undefined;
    const [from, to] = [layerOf(source), layerOf(target)];
    if (from !== undefined && to !== undefined && to < from) return undefined;
    return `a lib imports libs of lower layers only, and layer ${from} is not above layer ${to} (docs/architecture.md).`;
  }

  function listFiles(source: string, target: string): string {
    const args = [
      '-rlE',
      '--include=*.ts',
      '--include=*.tsx',
      '--exclude-dir=dist',
      `['"]${target}['"]`,
      projects[source]!.root,
    ];
    try {
      return `\n  ${execFileSync('grep', args, { cwd: root, encoding: 'utf8' }).trim().replaceAll('\n', '\n  ')}`;
    } catch {
      return '';
    }
  }
});

describe('the rooms of an app', () => {
  const apps = readdirSync(path.join(root, 'apps')).filter((app) => existsSync(path.join(root, 'apps', app, 'src')));
  const arrowsOf = (app: string) => readArrows(path.join(root, 'apps', app, 'src'));

  it.each(apps)('%s has no circle of folders', (app) => {
    const back = findArrowsBack(arrowsOf(app));
    if (back.length > 0) throw new Error(`${back.length} arrows lead back:\n${back.join('\n')}`);
  });

  for (const app of apps.filter((name) => !composers.includes(name)))
    it(`${app} is as docs/architecture-folders.md draws it`, () => {
      const wrong = compareWithDrawing(arrowsOf(app), readDrawing(app));
      if (wrong.length > 0)
        throw new Error(`${wrong.join('\n')}\nThis would be true:\n    ${drawRooms(arrowsOf(app)).join('\n    ')}`);
    });

  const circle: Arrows = new Map([
    ['issue', new Map([['label', ['issue/a.ts imports label/b']]])],
    ['label', new Map([['note', ['label/b.ts imports note/c']]])],
    ['note', new Map([['issue', ['note/c.ts imports issue/a']]])],
    ['board', new Map([['issue', ['board/d.ts imports issue/a']]])],
  ]);

  it('the test would name a cycle, and its imports', () => {
    const back = findArrowsBack(circle);
    expect(back).toHaveLength(3);
    expect(back[0]).toBe('issue -> label -> note -> issue\n    issue/a.ts imports label/b');
  });

  it('the test would name a folder that is not drawn', () => {
    expect(compareWithDrawing(circle, [['board', 'issue'], ['label'], ['note', 'epic']])).toEqual([
      'epic is drawn and is no folder',
      expect.stringMatching(/^note is not drawn above issue/),
      expect.stringMatching(/^board is not drawn above issue/),
    ]);
  });
});

// A type assertion is unchecked: allowed only where the driver's types are too narrow.
it('`as never` is only used for the database', () => {
  const asserted = grep([
    '-rlE',
    '--include=*.ts',
    '--include=*.tsx',
    '--exclude=*.spec.ts',
    '--exclude=*.spec.tsx',
    'as never\\b[^ ]',
    'apps',
    'libs',
  ]);
  const ofPrograms = asserted.filter((file) => /^(apps|libs)\/(?!e2e|testing)[^/]+\/src\//.test(file));
  expect(ofPrograms).toEqual(['libs/database/src/collection-of.ts']);
});

// Each of these names used to have several meanings, `Place` more than twenty.
it('nothing is called by a word that could be anything', () => {
  const words =
    'Places?|Targets|Labelled|LabelBearers?|MilestoneBearers?|LeftStorage|Together|OneTurn|Wish(es)?|neighbours';
  const named = `\\b(class|interface|type|enum|function|const|let) (${words})\\b`;
  const folders = ['apps', 'libs', 'tools'];
  expect(
    grep([
      '-rnE',
      '--include=*.ts',
      '--include=*.tsx',
      '--include=*.mjs',
      '--exclude-dir=node_modules',
      '--exclude-dir=dist',
      named,
      ...folders,
    ]),
  ).toEqual([]);
});

// Killed tests, and some others, left folders behind.
it('tests have a temporary folder of their own, which is removed afterwards', () => {
  expect(path.basename(tmpdir())).toMatch(/^moothall-t-/);
  const elsewhere = [
    '-rnE',
    '--include=*.ts',
    '--include=*.tsx',
    '--include=*.mjs',
    '--exclude-dir=node_modules',
    '[\'"`]/(var/)?tmp/',
  ];
  expect(
    grep([...elsewhere, 'apps', 'libs', 'tools']).filter((line) => !line.startsWith('apps/standalone/test/arch')),
  ).toEqual([]);
});

describe('the package embedded-mongo', () => {
  it('names nothing of Moothall, nor imports it', () => {
    const elsewhere = ['--exclude-dir=dist', '--exclude-dir=node_modules', '--exclude-dir=test-output'];
    expect(grep(['-rniI', ...elsewhere, 'moothall', 'libs/embedded-mongo'])).toEqual([]);
  });

  it('names every package that it imports as its dependency', () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(root, 'libs/embedded-mongo/package.json'), 'utf8'));
    const imports = grep([
      '-rhoE',
      '--include=*.ts',
      '--include=*.tsx',
      '--exclude=*.spec.ts',
      '--exclude=*.spec.tsx',
      "from '[^.'][^']*'",
      'libs/embedded-mongo/src',
    ]);
    const packages = imports
      .map((found) => found.slice("from '".length, -1))
      .filter((name) => !name.startsWith('node:'));
    expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies));
  });

  it('is imported by its exports only', () => {
    const others = ['--exclude-dir=node_modules', '--exclude-dir=dist', '--exclude-dir=embedded-mongo'];
    const code = ['--include=*.ts', '--include=*.tsx', '--include=*.mjs', '--include=*.js'];
    const behind = `(from |import\\(|require\\(|resolve\\()['"][^'"]*embedded-mongo/(src|dist)`;
    expect(grep(['-rnE', ...code, ...others, behind, 'apps', 'libs', 'tools'])).toEqual([]);
  });
});

describe('writes to the database', () => {
  // Code that read driver errors used to differ, and one place was wrong.
  it.each([
    ['bulk writes are those of libs/database', '\\.(bulkWrite|insertMany)\\('],
    ["the driver's errors are read in libs/database alone", 'Mongo[A-Za-z]*Error\\b|writeErrors|11000|11_000'],
    ['nobody imports the driver past Mongoose', "from 'mongodb'"],
  ])('%s', (_, pattern) => {
    const owners = /^libs\/(database|embedded-mongo|infrastructure|testing)\//;
    const tests = ['--exclude=*.spec.ts', '--exclude=*.spec.tsx', '--exclude=*.server.ts', '--exclude=*.chaos.ts'];
    const found = grep(['-rnE', '--include=*.ts', '--include=*.tsx', ...tests, pattern, ...sources()]);
    const isComment = (line: string) => /^[^:]+:\d+:\s*(\/?\*|\/\/)/.test(line);
    expect(found.filter((line) => !owners.test(line) && !isComment(line))).toEqual([]);
  });
});

describe('state in the memory of services', () => {
  /** In biome's format: fields of classes are indented by two columns, declarations of a module by none. */
  const collection = '(Readonly)?(Map|Set|WeakMap|WeakSet|LRUCache)';
  const words = '((private|protected|public|static|readonly) )';
  const lasting = [
    `^  ${words}*#?\\w+[?!]?(: .+)? = new ${collection}\\b`,
    `^  ${words}+\\w+[?!]?: ${collection}<`,
    // Collections that are filled where they are created are constant tables.
    `^(export )?const \\w+(: .+)? = new ${collection}(<.*>)?\\((\\)|\\{)`,
    '^(export )?let ',
  ].join('|');
  const others = /^(apps\/(standalone|e2e)|libs\/(embedded-mongo|infrastructure|testing|contracts))\//;

  // With many processes of a service each has its own, and they differ.
  it('is listed in docs/architecture-memory.md, with the reason why that is safe', () => {
    const found = grep([
      '-rnE',
      '--include=*.ts',
      '--include=*.tsx',
      '--exclude=*.spec.ts',
      '--exclude=*.spec.tsx',
      lasting,
      ...sources(),
    ]);
    const files = new Set(found.map((line) => line.split(':')[0]!).filter((file) => !others.test(file)));
    expect(files.size).toBeGreaterThan(30);
    const listed = new Set(readKept());
    expect([...files].filter((file) => !listed.has(file))).toEqual([]);
    expect([...listed].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

function sources(): string[] {
  return ['apps', 'libs'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .map((name) => `${folder}/${name}/src`)
      .filter((source) => existsSync(path.join(root, source))),
  );
}

function grep(args: string[]): string[] {
  const { status, stdout } = spawnSync('grep', args, { cwd: root, encoding: 'utf8' });
  // Exit code 1 means no match.
  if (status !== 0 && status !== 1) throw new Error(`grep ${args.join(' ')}: ${status}`);
  return stdout.split('\n').filter((line) => line !== '');
}

/** The table of docs/architecture.md: one row per layer, with its libs in backquotes. */
function readLayers(): Map<string, number> {
  const text = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (\d+) \| (.*) \|$/gm)];
  return new Map(
    rows.flatMap(([, layer, libs]) =>
      [...libs!.matchAll(/`([\w-]+)`/g)].map(([, lib]) => [lib!, Number(layer)] as const),
    ),
  );
}

/** The files in the table of in-memory collections. */
function readKept(): string[] {
  const table = readFileSync(path.join(root, 'docs/architecture-memory.md'), 'utf8');
  return [...table.matchAll(/`((?:apps|libs)\/[^`]+\.tsx?)`/g)].map(([, file]) => file!);
}

/** The lines of an app's drawing, from the top. */
function readDrawing(app: string): string[][] {
  const text = readFileSync(path.join(root, 'docs/architecture-folders.md'), 'utf8');
  const [, drawing = ''] = text.match(new RegExp(`^ {4}apps/${app}/src\\n((?: {4,}.*\\n)*)`, 'm')) ?? [];
  return drawing
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
}

function readGraph(): { projects: Record<string, Project>; imports: Import[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-graph-'));
  try {
    const file = path.join(folder, 'graph.json');
    const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' };
    execFileSync(path.join(root, 'node_modules/.bin/nx'), ['graph', `--file=${file}`], {
      cwd: root,
      env,
      stdio: 'pipe',
    });
    const { graph } = JSON.parse(readFileSync(file, 'utf8'));
    const nodes = Object.values(graph.nodes) as { name: string; data: Project }[];
    const imports = (Object.values(graph.dependencies) as Import[][]).flat();
    return {
      projects: Object.fromEntries(nodes.map(({ name, data }) => [name, data])),
      imports: imports.filter(({ target }) => nodes.some(({ name }) => name === target)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
