import path from 'node:path';
import { ensureAdministrator } from './administrator/ensure-administrator';
import { runStandalone } from './run-standalone';

const child = (name: string) => ({ name, module: path.join(__dirname, `${name}.js`) });

runStandalone({ gateway: child('gateway'), services: [child('services')], ensureAdministrator }).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
