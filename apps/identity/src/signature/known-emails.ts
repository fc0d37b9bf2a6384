import type { User } from '../user/user.schema';

/** The confirmed addresses of a user, in lower case. */
export function confirmedEmails({ email, confirmedAt, secondaryEmails }: User): Set<string> {
  const secondary = secondaryEmails.flatMap((each) => (each.confirmedAt ? each.email.toLowerCase() : []));
  return new Set(confirmedAt ? [email.toLowerCase(), ...secondary] : secondary);
}
