import { z } from 'zod';
import { errors } from '../../operation';

export const userAgentErrors = errors('user_agent', {
  notFound: {
    status: 404,
    message: '404 UserAgentDetail Not Found',
    means: 'The request that created the record had no user agent.',
  },
});

/** The client that created a record. Clients read the last field under both names. */
export const UserAgentDetail = z.object({
  user_agent: z.string(),
  ip_address: z.string(),
  akismet_submitted: z.boolean(),
  spamcheck_submitted: z.boolean(),
});
export type UserAgentDetail = z.infer<typeof UserAgentDetail>;
