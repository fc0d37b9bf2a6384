/**
 * `npm run postpack`: `npm pack` runs it after it has packed the files of this checkout, and it replaces them with the
 * npm package `moothall`, which `npx moothall` starts.
 */
import './help.mjs';
import path from 'node:path';
import { packNpm } from './release/npm.mjs';
import { printStatus, root, runTool, setUp } from './set-up.mjs';

await runTool(async () => {
  setUp();
  const target = path.resolve(root, process.env.npm_config_pack_destination || '.');
  printStatus(`${packNpm(root, target)} is the package.`);
});
