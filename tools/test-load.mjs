/**
 * `npm run test:load -- <part of a path> ... [--times 10]`: runs files of `npm test` repeatedly while busy loops use
 * every core, and prints how often each one failed.
 */
import './help.mjs';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { print, runTool, setUp } from './set-up.mjs';
import { installTestPrograms } from './test-programs.mjs';
import { runJest } from './tests/jest.mjs';
import { report } from './tests/report.mjs';

const options = { times: { type: 'string', default: '10' } };

await runTool(async () => {
  const { positionals: patterns, values } = parseArgs({ allowPositionals: true, options });
  setUp();
  installTestPrograms();
  const runs = await withBusyCores(async () => {
    const done = [];
    for (let turn = 1; turn <= Number(values.times); turn++) {
      print(`\n== ${turn} of ${values.times}`);
      for (const kind of ['unit', 'integration', 'e2e']) done.push(await runJest(kind, { patterns, workers: 1 }));
    }
    return done;
  });
  const failures = new Map();
  for (const { file, failures: failed } of runs.flatMap(({ files }) => files))
    if (failed.length > 0) failures.set(file, (failures.get(file) ?? 0) + 1);
  const { failed } = report({ runs });
  for (const [file, times] of failures) print(`${file} failed ${times} of ${values.times} times`);
  if (failed === 0) print(`No file failed in ${values.times} runs.`);
});

async function withBusyCores(work) {
  const script =
    'process.on("disconnect", () => process.exit()); const spin = () => { const end = Date.now() + 100; while (Date.now() < end); setImmediate(spin); }; spin();';
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  try {
    return await work();
  } finally {
    for (const loop of loops) loop.kill();
  }
}
