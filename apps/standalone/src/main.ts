import path from 'node:path';
import { ensureAdministrator } from './administrator/ensure-administrator';
import { runStandalone } from './run-standalone';

const modules = { gateway: path.join(__dirname, 'gateway.js'), services: path.join(__dirname, 'services.js') };

runStandalone({ modules, args: process.argv.slice(2), ensureAdministrator }).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
