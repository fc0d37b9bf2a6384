import { GitError } from '../process/errors';

/** The author or committer of a commit or tag, with the time. */
export interface Person {
  name: string;
  email: string;
  /** Default: now. */
  date?: Date;
  /** Minutes east of Greenwich. Default 0. */
  offsetMinutes?: number;
}

/**
 * A person with a name that a git object can contain, for names that nobody wrote for commits. Like git, it leaves out
 * what would end the name.
 */
export function personNamed(name: string, email: string): Person {
  const allowed = (text: string) => text.replaceAll(/[\p{Cc}<>]/gu, '').trim();
  const address = allowed(email);
  return { name: allowed(name) || address.split('@')[0] || 'Unknown', email: address };
}

/** `Name <email> <seconds> <+hhmm>`, the form in git objects. @throws author_invalid for values that would break it */
export function formatSignature({ name, email, date = new Date(), offsetMinutes = 0 }: Person): string {
  if (name.trim() === '' || /[\p{Cc}<>]/u.test(name + email)) throw new GitError('author_invalid');
  const minutes = Math.abs(offsetMinutes);
  const pad = (value: number) => String(value).padStart(2, '0');
  const zone = `${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
  return `${name.trim()} <${email.trim()}> ${Math.floor(date.getTime() / 1000)} ${zone}`;
}
