import { type getSnippetUserAgent, type OutputOf, snippetErrors } from '@moothall/contracts';
import type { SnippetDocument } from './snippet.schema';

/** @throws snippet.user_agent_not_found */
export function viewUserAgent({ userAgent }: SnippetDocument): OutputOf<typeof getSnippetUserAgent> {
  if (!userAgent) throw snippetErrors.userAgentNotFound();
  return {
    user_agent: userAgent.name,
    ip_address: userAgent.ip,
    akismet_submitted: false,
    spamcheck_submitted: false,
  };
}
