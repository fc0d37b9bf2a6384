import { z } from 'zod';
import { bytes, internalOnProject, operation } from '../operation';

/** The two services of git's smart HTTP protocol: for fetches and for pushes. */
export const gitServices = ['git-upload-pack', 'git-receive-pack'] as const;

export const exitCodeTrailer = 'x-git-exit-code';

/**
 * One exchange of git's smart HTTP protocol with a project's repository, or its wiki's, or a whole session for SSH:
 * bytes flow in both directions concurrently, and git's exit code follows as the trailer {@link exitCodeTrailer}. The
 * gateway has checked the access; the bytes use the presigned URL.
 * @see https://git-scm.com/docs/http-protocol
 */
export const gitExchange = operation({
  name: 'repository.git.exchange',
  access: internalOnProject(),
  routedByStorage: true,
  input: z.object({
    service: z.enum(gitServices),
    phase: z.enum(['advertise', 'rpc', 'session']),
    repository: z.enum(['project', 'wiki']).default('project'),
    /** Value of the Git-Protocol header, as `version=2`. */
    protocol: z.string().max(100).optional(),
    /** For a caller with a deploy key instead of a user: whose share of the transfers it uses. */
    deploy_key_id: z.number().int().optional(),
    /** A message for the pushing user, each line after `remote:`. */
    notice: z.string().max(4000).optional(),
  }),
  output: bytes(),
});
