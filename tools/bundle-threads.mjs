/**
 * `node tools/bundle-threads.mjs`: makes of each `*-in-thread.ts` below `src/` of this folder, and of what it uses, one file in
 * `dist/`. A thread loads nothing else, so it starts in a tenth of a second (docs/adr/0020-one-file-for-each-process.md).
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const modules = readdirSync('src', { recursive: true }).filter((file) => file.endsWith('-in-thread.ts'));

await build({
  entryPoints: modules.map((file) => path.join('src', file)),
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Of sources, esbuild leaves out what is not used.
  conditions: ['@moothall/source'],
  keepNames: true,
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'external',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});
