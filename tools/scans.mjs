/**
 * `npm run scans [-- --project <name>]`: runs the integration tests of the services, notes down every query that has the
 * embedded database read a whole collection, and fails for those that tools/scans/meant.json does not name with a reason,
 * and where tests fail.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { services } from './services.mjs';
import { nxEnvironment, root, run, runTool, say, setUp } from './set-up.mjs';

const meant = JSON.parse(readFileSync(path.join(root, 'tools/scans/meant.json'), 'utf8'));

await runTool(() => {
  const { project } = parseArgs({ options: { project: { type: 'string' } } }).values;
  setUp();
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-scans-'));
  const file = path.join(folder, 'scans.jsonl');
  const names = services.filter((name) => !project || name === project).map((name) => `@moothall/${name}`);
  const { MONGODB_URI: _, ...others } = nxEnvironment;
  const env = { ...others, SCANS: file };
  const tests = ['run-many', '-t', 'integration', '-p', ...names, '--parallel=1', '--skip-nx-cache'];
  const { status } = run('node_modules/.bin/nx', tests, { env });
  const scans = existsSync(file) ? kindsOf(readFileSync(file, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  const strange = scans.filter((scan) => !meant.some((each) => isMeant(scan, each)));
  for (const { collection, filter, sort, most } of strange)
    say(
      `SCAN ${collection}: {${filter}}${sort.length > 0 ? `, sorted by ${sort.join(', ')}` : ''} (${most} documents)`,
    );
  say(`${scans.length} kinds of scans, ${strange.length} that nobody meant`);
  if (status !== 0) say('tests failed: what they would have asked is not among these');
  process.exitCode = status !== 0 || strange.length > 0 ? 1 : 0;
});

/** Each kind once, with the most documents that were there. Databases are named `<prefix>_<service>`. */
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

/** `*` stands for any filter, and for a service. */
function isMeant({ collection, filter }, each) {
  const [service, name] = each.collection.split('.');
  const [ofService, ofName] = collection.split('.');
  return (
    (service === '*' || service === ofService) && name === ofName && (each.filter === '*' || each.filter === filter)
  );
}
