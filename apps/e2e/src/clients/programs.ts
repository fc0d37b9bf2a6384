import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const installed = path.resolve(__dirname, '../../../../node_modules/.cache/moothall/clients');

/**
 * A program that tools/test-clients.mjs installs in its own folder. If it is missing, its tests are skipped with the
 * reason.
 * @param bin its file in that folder
 * @param interpreter runs that file
 */
export function program(folder: string, bin: string, interpreter = process.execPath) {
  const file = path.resolve(installed, folder, bin);
  const isThere = existsSync(path.join(installed, folder, 'installed.json'));
  if (!isThere) console.warn(`Tests of ${bin} are left out: "${folder}" of tools/test-clients.mjs is not installed.`);
  return {
    test: isThere ? it : it.skip,
    /**
     * Runs it without the environment of these tests, which may themselves run as a CI job.
     * @returns its output
     * @throws with all of its output if it fails
     */
    async run(args: string[], cwd: string, env: Record<string, string>): Promise<string> {
      const options = { cwd, timeout: 100_000, maxBuffer: 1 << 26, env: { ...bare(cwd), ...env } };
      try {
        return (await run(interpreter, [file, ...args], options)).stdout;
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${bin} ${args.join(' ')}\n${stdout}\n${stderr}`);
      }
    },
    folder: path.join(installed, folder),
  };
}

/** @param home folder of its settings */
const bare = (home: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  // The temporary folder of the run, which is removed with it.
  TMPDIR: tmpdir(),
  LANG: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  NO_COLOR: '1',
});
