/**
 * `npm run scans [-- --project <name>]`: runs the integration tests of the services, and lists every query for which
 * the embedded database reads a whole collection, including intended ones. A test with an unintended one fails
 * (libs/testing/src/meant-scans.ts).
 */
import './help.mjs';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { services } from './services.mjs';
import { print, run, runTool, setUp } from './set-up.mjs';

await runTool(() => {
  const { project } = parseArgs({ options: { project: { type: 'string' } } }).values;
  setUp();
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-scans-'));
  const file = path.join(folder, 'scans.jsonl');
  const folders = services.filter((name) => !project || name === project).map((name) => `apps/${name}/test`);
  const { MONGODB_URI: _, ...others } = process.env;
  const env = { ...others, SCANS: file };
  const { status } = run('node_modules/.bin/jest', [...folders, '--selectProjects', 'integration'], { env });
  const scans = existsSync(file) ? kindsOf(readFileSync(file, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  for (const { collection, filter, sort, most } of scans)
    print(
      `SCAN ${collection}: {${filter}}${sort.length > 0 ? `, sorted by ${sort.join(', ')}` : ''} (${most} documents)`,
    );
  print(`${scans.length} kinds of scans`);
  if (status !== 0) print('tests failed: for scans that nobody meant, or before they had asked all');
  process.exitCode = status === 0 ? 0 : 1;
});

/** Each kind once, with the largest number of documents. Databases are named `<prefix>_<service>`. */
function kindsOf(lines) {
  const kinds = new Map();
  for (const { namespace, documents, filter, sort } of lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))) {
    const collection = namespace.slice(namespace.indexOf('_') + 1);
    const key = JSON.stringify([collection, filter, sort]);
    const most = Math.max(documents, kinds.get(key)?.most ?? 0);
    kinds.set(key, { collection, filter, sort, most });
  }
  return [...kinds.values()].sort((a, b) => (a.collection < b.collection ? -1 : 1));
}
