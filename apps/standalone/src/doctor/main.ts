import { parseArgs } from 'node:util';
import { runCommand } from '../console/run-command';
import { type Finding, lookAll } from './finding';
import { gatewayChecks } from './gateway';
import { findInstallation, type Installation } from './installation';
import { machineChecks } from './machine';
import { metricsChecks } from './metrics';
import { mongodbChecks } from './mongodb';
import { natsChecks } from './nats';
import { redisChecks } from './redis';

const checks = [machineChecks, gatewayChecks, metricsChecks, mongodbChecks, natsChecks, redisChecks];
const marks = { fine: '  ok     ', warning: '  WARNING', fault: '  FAULT  ' };

const usage = `npm run doctor -- [--json]
Checks the installation and reports its state: the server on MOOTHALL_DATA_DIR (./data), else the addresses in NATS_URL,
REDIS_URL, MONGODB_URI, EXTERNAL_URL and METRICS_URL.
`;

/**
 * `npm run doctor`: checks an installation and prints the result, in words or with `--json`. Exit code 0: nothing is
 * broken, with or without warnings; 1: something is broken; 2: nothing to check.
 */
async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  let installation: Installation;
  try {
    installation = findInstallation(process.env);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 2;
  }
  const findings = await lookAll(checks.flatMap((checksOf) => checksOf(installation)));
  const isWell = findings.every(({ state }) => state !== 'fault');
  process.stdout.write(values.json ? `${JSON.stringify({ well: isWell, findings }, null, 2)}\n` : inWords(findings));
  return isWell ? 0 : 1;
}

function inWords(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.map(({ about, state, says }) => `${marks[state]}  ${about.padEnd(width)}  ${says}`);
  const count = (state: Finding['state']) => {
    const { length } = findings.filter((finding) => finding.state === state);
    return `${length} ${state}${length === 1 ? '' : 's'}`;
  };
  return `${lines.join('\n')}\n\n${count('fault')}, ${count('warning')}.\n`;
}

// It ends the process, so hanging connections do not delay the end.
runCommand({ usage, run, explain: (error) => error.message, failure: 2 });
