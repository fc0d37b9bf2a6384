import type { GitEngine } from '../git/engine';
import { GitError } from '../git/process/errors';
import type { RemoteAddress } from '../git/transport/remote-address';
import { quotedPath } from '../git/transport/remote-commands';
import { hasEnded, LfsAction, parsed } from '../lfs/lfs-remote';

const answerWithinMs = 60_000;
const mostAnswerBytes = 64 * 1024;

/** A repository on a server of ssh. */
export interface SshRepository {
  engine: GitEngine;
  url: URL;
  /** As git is given it, with its keys. */
  address: RemoteAddress;
  signal: AbortSignal;
}

/**
 * Where objects go by HTTP that belong to a repository by ssh, as `git-lfs-authenticate` says there. It is asked when somebody
 * wants to know, and again when what it has allowed has ended.
 * @throws Error with words for people
 */
export function endpointOverSsh(repository: SshRepository, withinMs = answerWithinMs): () => Promise<LfsAction> {
  let given: LfsAction | undefined;
  return async () => {
    if (!given || hasEnded(given)) given = await askForEndpoint(repository, withinMs);
    return given;
  };
}

async function askForEndpoint({ engine, url, address, signal }: SshRepository, timeoutMs: number): Promise<LfsAction> {
  const command = `git-lfs-authenticate ${quotedPath(url)} upload`;
  const limits = { timeoutMs, maxOutputBytes: mostAnswerBytes, signal };
  const answer = await engine.remoteCommands.overSsh(url, address, command, limits).catch((error: unknown) => {
    const isTooLarge = error instanceof GitError && error.reason === 'object_too_large';
    if (error instanceof GitError && error.reason === 'timed_out')
      throw new Error('the other server did not answer git-lfs-authenticate in time');
    if (isTooLarge) throw noAnswer();
    throw error;
  });
  const read = LfsAction.safeParse(parsed(answer));
  if (!read.success) throw noAnswer();
  return read.data;
}

const noAnswer = (): Error => new Error('the other server does not answer git-lfs-authenticate as Git LFS does');
