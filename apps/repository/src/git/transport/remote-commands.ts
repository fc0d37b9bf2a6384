import { GitError } from '../process/errors';
import type { GitRunner } from '../process/run-git';
import { explainRemote, type RemoteAddress } from './remote-address';

export interface RemoteCommandLimits {
  timeoutMs: number;
  maxOutputBytes: number;
  signal?: AbortSignal | undefined;
}

/** Runs commands of remote servers other than git's own. */
export class RemoteCommands {
  constructor(private readonly git: GitRunner) {}

  /**
   * Runs a command over ssh, with the keys and the proxy that git uses for the server.
   * @param url with the user, if it has one
   * @param address the same server in the form for git
   * @returns the output
   * @throws mirror_failed with the reason, timed_out, object_too_large, cancelled
   */
  async overSsh(url: URL, address: RemoteAddress, command: string, limits: RemoteCommandLimits): Promise<string> {
    // Git runs an alias like its own ssh process: with limits, in its own environment, and ended with all its children.
    const config = { ...address.config, 'alias.over-ssh': `!${address.config['core.sshCommand']}` };
    const port = url.port === '' ? [] : ['-p', url.port];
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const target = url.username === '' ? host : `${decodeURIComponent(url.username)}@${host}`;
    // The notice about an unknown host is not part of the output. Names cannot be read as options.
    const args = ['over-ssh', '-oLogLevel=ERROR', ...port, '--', target, command];
    try {
      return await this.git.text(null, args, { ...limits, hasHelpers: true, env: address.env, config });
    } catch (error) {
      if (!(error instanceof GitError) || error.reason !== 'git_failed') throw error;
      throw new GitError('mirror_failed', explainRemote(error.detail.replace(/^git over-ssh: /, '')), error.detail);
    }
  }
}

/** Quoted for the remote shell, as git does. */
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
