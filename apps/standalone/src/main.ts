import './keep-compiled';
import path from 'node:path';
import { releaseMemoryWhenIdle } from '@moothall/processes';
import { ensureAdministrator } from './administrator/ensure-administrator';
import { runStandalone } from './run-standalone';
import { sow } from './seed/sow';

const modules = { gateway: path.join(__dirname, 'gateway.js'), services: path.join(__dirname, 'services.js') };

releaseMemoryWhenIdle();

runStandalone({ modules, args: process.argv.slice(2), ensureAdministrator, sow }).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
