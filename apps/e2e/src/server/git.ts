import { execFile, execFileSync, type SpawnSyncReturns } from 'node:child_process';
import { promisify } from 'node:util';
import { connection } from './connection';

const identity = {
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada Lovelace',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

/** Runs git in a folder. @returns its output as bytes. @throws with git's message if it fails */
export function git(folder: string, args: string[], env: Record<string, string> = {}): Buffer {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      env: { ...process.env, ...identity, ...env },
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stderr } = error as SpawnSyncReturns<Buffer>;
    throw new Error(`git ${args.join(' ')}: ${stderr}`);
  }
}

/** The same as trimmed text, without blocking this process, which may serve git. */
export async function gitAsync(folder: string, args: string[], settings: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, ...identity, ...settings };
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder, env, maxBuffer: 1 << 30 });
  return stdout.trimEnd();
}

/** The same as trimmed text. */
export const gitText = (folder: string, args: string[]): string => git(folder, args).toString('utf8').trimEnd();

export const gitLines = (folder: string, args: string[]): string[] => gitText(folder, args).split('\n').filter(Boolean);

/** URL of a project for git, with credentials. */
export function remoteUrl(fullPath: string, username: string, secret: string): string {
  const url = new URL(`${connection.url}/${fullPath}.git`);
  url.username = username;
  url.password = secret;
  return url.href;
}
