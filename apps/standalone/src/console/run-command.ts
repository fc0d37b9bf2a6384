import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Command {
  /** Printed by `--help`, and where the command is not understood. */
  usage: string;
  /** @returns the exit code, or undefined where the arguments are not understood */
  run(args: readonly string[]): Promise<number | undefined>;
  /** @returns one line for a person, where the error is one that they can do something about */
  explain(error: Error): string | undefined;
  /** Exit code of an error; 1 unless set. */
  failure?: number;
}

/** Runs a program of the command line and ends the process. It answers `--help` and `--version` itself; 2 is not understood. */
export function runCommand(command: Command): void {
  answer(command, process.argv.slice(2)).then(
    (code) => process.exit(code),
    (error: Error) => {
      process.stderr.write(`${command.explain(error) ?? error.stack}\n`);
      process.exit(command.failure ?? 1);
    },
  );
}

async function answer({ usage, run }: Command, args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return 0;
  }
  if (args.includes('--version')) {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const code = await run(args);
  if (code === undefined) process.stderr.write(usage);
  return code ?? 2;
}

const readVersion = (): string =>
  JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')).version as string;
