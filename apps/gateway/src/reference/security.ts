import type { AccessRule } from '@moothall/contracts';

/** Security requirements of OpenAPI: a request needs one of them. The empty one means no credential. */
export type Security = Record<string, string[]>[];

export const signedIn: Security = [{ privateToken: [] }, { bearer: [] }];

/** @returns undefined for operations that need a token, which is the default of the document */
export function securityOf(access: AccessRule): Security | undefined {
  if (access.on === 'anyone') return [{}];
  return isOpen(access) ? [...signedIn, {}] : undefined;
}

/** Whether a request without a token may succeed, for example for a public project. */
export const isOpen = (access: AccessRule): boolean =>
  access.on === 'anyone' || ('anonymous' in access && access.anonymous === true);
