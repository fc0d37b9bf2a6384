import type { User } from '../user/user.schema';

/** The addresses of a user that are known to be theirs, lower-cased. */
export function confirmedEmails({ email, confirmedAt, secondaryEmails }: User): Set<string> {
  const secondary = secondaryEmails.flatMap((each) => (each.confirmedAt ? each.email.toLowerCase() : []));
  return new Set(confirmedAt ? [email.toLowerCase(), ...secondary] : secondary);
}
