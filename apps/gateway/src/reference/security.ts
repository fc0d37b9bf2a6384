import type { AccessRule } from '@moothall/contracts';

/** What a request may carry, as OpenAPI has it: one of these; the empty one is nothing. */
type Security = Record<string, string[]>[];

export const signedIn: Security = [{ privateToken: [] }, { bearer: [] }];

/** @returns undefined where it is as for most operations, which need a token */
export function securityOf(access: AccessRule): Security | undefined {
  if (access.on === 'anyone') return [{}];
  return isOpen(access) ? [...signedIn, {}] : undefined;
}

/** Whether a request without a token may succeed, as one for a public project. */
export const isOpen = (access: AccessRule): boolean =>
  access.on === 'anyone' || ('anonymous' in access && access.anonymous === true);
