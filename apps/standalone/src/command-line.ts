import { parseArgs } from 'node:util';
import { StartError } from './data-folder/start-error';

/** What `npm run start:services` asks for; `npm start` asks for nothing. */
export interface Replicas {
  replicas: number;
  gateways: number;
}

const most = 16;

/** @throws StartError for what is not understood */
export function readCommandLine(args: readonly string[]): Replicas | undefined {
  const { services, replicas, gateways } = parse(args);
  if (!services && replicas === undefined && gateways === undefined) return undefined;
  const count = countOf('--replicas', replicas ?? '1');
  return { replicas: count, gateways: countOf('--gateways', gateways ?? String(count)) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { services: { type: 'boolean' }, replicas: { type: 'string' }, gateways: { type: 'string' } },
    }).values;
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

function countOf(option: string, text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most) throw new StartError(`${option} is a whole number from 1 to ${most}, not "${text}".`);
  return count;
}
