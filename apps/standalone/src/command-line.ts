import { parseArgs } from 'node:util';
import { StartError } from './data-folder/start-error';

/** Options of `npm run start:services`; `npm start` has none. */
export interface Replicas {
  replicas: number;
  gateways: number;
}

export interface CommandLine {
  replicas?: Replicas | undefined;
  /** For one run: a folder and ports of its own, which are removed at the end. */
  isEphemeral: boolean;
  /** Initial data of such a run. */
  seedFile?: string | undefined;
  /** Ends with its stdin: with the parent process, however that ends. */
  endsWithStdin: boolean;
}

const most = 16;

/** @throws StartError for wrong arguments */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { services, replicas, gateways, ephemeral = false, seed, ...rest } = parse(args);
  if (seed !== undefined && !ephemeral)
    throw new StartError('--seed is for a server that begins with nothing: --ephemeral --seed <file>.');
  const isOne = !services && replicas === undefined && gateways === undefined;
  const count = countOf('--replicas', replicas ?? '1');
  const wanted = isOne ? undefined : { replicas: count, gateways: countOf('--gateways', gateways ?? String(count)) };
  return { replicas: wanted, isEphemeral: ephemeral, seedFile: seed, endsWithStdin: rest['until-eof'] ?? false };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        services: { type: 'boolean' },
        replicas: { type: 'string' },
        gateways: { type: 'string' },
        ephemeral: { type: 'boolean' },
        seed: { type: 'string' },
        'until-eof': { type: 'boolean' },
      },
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
