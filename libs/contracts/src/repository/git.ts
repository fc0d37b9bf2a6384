import { z } from 'zod';
import { bytes, internalOnProject, operation } from '../operation';

/** The two halves of git's smart HTTP protocol: what a client fetches with and what it pushes with. */
export const gitServices = ['git-upload-pack', 'git-receive-pack'] as const;

export const exitCodeTrailer = 'x-git-exit-code';

/**
 * One exchange of git's smart HTTP protocol with a project's repository, or its wiki's, or a whole session as SSH has
 * it: bytes flow both ways at once, and git's exit code follows as the trailer {@link exitCodeTrailer}. The gateway has
 * checked that the caller may; the bytes go through the presigned URL.
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
    /** Where no user but a deploy key asks: whose share of the transfers it takes. */
    deploy_key_id: z.number().int().optional(),
    /** What who pushes is shown, each line behind `remote:`. */
    notice: z.string().max(4000).optional(),
  }),
  output: bytes(),
});
