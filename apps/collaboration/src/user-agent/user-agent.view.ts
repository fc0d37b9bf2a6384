import { type UserAgentDetail, userAgentErrors } from '@moothall/contracts';
import type { UserAgent } from './user-agent.schema';

/** @throws user_agent.not_found if none was stored */
export function viewUserAgent(userAgent: UserAgent | null | undefined): UserAgentDetail {
  if (!userAgent) throw userAgentErrors.notFound();
  return {
    user_agent: userAgent.name,
    ip_address: userAgent.ip,
    akismet_submitted: false,
    spamcheck_submitted: false,
  };
}
