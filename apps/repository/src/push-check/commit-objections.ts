import type { Caller } from '@moothall/contracts';
import type { IncomingCommit } from '../git/read/incoming';
import type { PushRule } from '../push-rule/push-rule.schema';

/** Facts about a commit from outside of it. */
export interface CommitFacts {
  hasMessage: boolean;
  hasForbiddenMessage: boolean;
  /** Whether the rules allow an email address. */
  isAllowed: (email: string) => boolean;
  userIdOf: (email: string) => number | undefined;
}

/** The user who pushes, and whether the server creates the commits. */
export interface Pusher {
  caller: Caller | undefined;
  isByInterface: boolean;
}

/**
 * The objection of the rules to a commit, in the words of v4; undefined for none. Commits by the server have the
 * caller's name and no signature. A deploy key has no user name to compare. See docs/api/repository.md#14.
 */
export function objectionTo(
  { author, committer, message, isSigned }: Pick<IncomingCommit, 'author' | 'committer' | 'message' | 'isSigned'>,
  rule: PushRule,
  facts: CommitFacts,
  { caller, isByInterface }: Pusher,
): string | undefined {
  if (!facts.hasMessage) return `Commit message does not follow the pattern '${rule.commitMessageRegex}'`;
  if (facts.hasForbiddenMessage)
    return `Commit message contains the forbidden pattern '${rule.commitMessageNegativeRegex}'`;
  if (!facts.isAllowed(committer.email))
    return `Committer's email '${committer.email}' does not follow the pattern '${rule.authorEmailRegex}'`;
  if (!facts.isAllowed(author.email))
    return `Author's email '${author.email}' does not follow the pattern '${rule.authorEmailRegex}'`;
  if (rule.rejectNonDcoCommits && !isSignedOff(message)) return 'Commit message must contain a DCO signoff';
  if (rule.rejectUnsignedCommits && !isSigned && !isByInterface) return 'Commit must be signed with a GPG key';
  if (rule.memberCheck) {
    if (facts.userIdOf(author.email) === undefined) return `Author '${author.email}' is not a member of team`;
    if (facts.userIdOf(committer.email) === undefined) return `Committer '${committer.email}' is not a member of team`;
  }
  if (!caller || isByInterface) return undefined;
  if (rule.commitCommitterCheck && facts.userIdOf(committer.email) !== caller.id)
    return `You cannot push commits for '${committer.email}'. You can only push commits if the committer email is one of your own verified emails.`;
  if (rule.commitCommitterNameCheck && author.name !== caller.name)
    return 'Your git username is inconsistent with your account name';
  return undefined;
}

/** `Signed-off-by: Name <address>` on its own line. */
const isSignedOff = (message: string): boolean =>
  message.split('\n').some((line) => {
    const person = /^Signed-off-by:(.+)$/.exec(line)?.[1] ?? '';
    const address = person.slice(person.indexOf('<') + 1, person.lastIndexOf('>'));
    return person.indexOf('<') > 0 && address.indexOf('@') > 0 && !address.endsWith('@');
  });
