import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Command {
  /** Printed by `--help`, and if the arguments are wrong. */
  usage: string;
  /** @returns the exit code, or undefined if the arguments are wrong */
  run(args: readonly string[]): Promise<number | undefined>;
  /** @returns one line for the user if they can fix the error, else undefined */
  explain(error: Error): string | undefined;
  /** Exit code of an error; 1 unless set. */
  failure?: number;
}

/** Runs a command and ends the process. It answers `--help` and `--version` itself. Exit code 2: the arguments are wrong. */
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
