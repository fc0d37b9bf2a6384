import './cache-compiled';
import path from 'node:path';
import { releaseMemoryWhenIdle } from '@moothall/processes';
import { runStandalone } from './run-standalone';

// Each process is bundled in one file: see tools/bundle.mjs.
const bundled = path.join(__dirname, 'bundled');
const modules = { gateway: path.join(bundled, 'gateway.js'), services: path.join(bundled, 'services.js') };

releaseMemoryWhenIdle();

runStandalone({ modules, args: process.argv.slice(2) }).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
