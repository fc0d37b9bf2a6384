import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { explainRemote, type RemoteAddress } from './remote-address';

export interface RemoteCommandLimits {
  timeoutMs: number;
  maxOutputBytes: number;
  signal?: AbortSignal | undefined;
}

/** Runs commands that servers of git know besides git's own. */
export class RemoteCommands {
  constructor(private readonly git: GitRunner) {}

  /**
   * Runs a command over ssh, with the keys and by the way that git takes there.
   * @param url with the user, where there is one
   * @param address of the same server, as git is given it
   * @returns what it printed
   * @throws mirror_failed with the reason, timed_out, object_too_large, cancelled
   */
  async overSsh(url: URL, address: RemoteAddress, command: string, limits: RemoteCommandLimits): Promise<string> {
    // git runs what stands in an alias as it runs ssh for itself: bounded, in an environment of its own, ended with all it started.
    const config = { ...address.config, 'alias.over-ssh': `!${address.config['core.sshCommand']}` };
    const port = url.port === '' ? [] : ['-p', url.port];
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const target = url.username === '' ? host : `${decodeURIComponent(url.username)}@${host}`;
    // Its notice about a server it meets for the first time is not part of the answer. No name is read as an option.
    const args = ['over-ssh', '-oLogLevel=ERROR', ...port, '--', target, command];
    try {
      return await this.git.text(null, args, { ...limits, hasHelpers: true, env: address.env, config });
    } catch (error) {
      if (!(error instanceof GitError) || error.reason !== 'git_failed') throw error;
      throw new GitError('mirror_failed', explainRemote(error.detail.replace(/^git over-ssh: /, '')), error.detail);
    }
  }
}

/** As a shell on the other side reads it, quoted as git does. */
export function quotedPath({ pathname }: URL): string {
  const path = decoded(pathname).replace(/^\/~/, '~');
  return `'${path.replace(/['!]/g, "'\\$&'")}'`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
