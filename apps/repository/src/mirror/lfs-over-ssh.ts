import type { GitEngine } from '../git/engine';
import { GitError } from '../git/process/errors';
import type { RemoteAddress } from '../git/transport/remote-address';
import { quotedPath } from '../git/transport/remote-commands';
import { hasEnded, LfsAction, parsed } from '../lfs/lfs-remote';

const answerWithinMs = 60_000;
const mostAnswerBytes = 64 * 1024;

/** A repository on an SSH server. */
export interface SshRepository {
  engine: GitEngine;
  url: URL;
  /** In the form for git, with its keys. */
  address: RemoteAddress;
  signal: AbortSignal;
}

/**
 * The HTTP endpoint for LFS objects of a repository over ssh, from `git-lfs-authenticate` on the server. It is
 * requested when first needed, and again when the authorization has expired.
 * @throws Error with a message for users
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
