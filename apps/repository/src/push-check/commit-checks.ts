import { usersByConfirmedEmail } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { IncomingCommit } from '../git/read/incoming';
import type { PushRule } from '../push-rule/push-rule.schema';
import { objectionTo, type Pusher } from './commit-objections';
import { PatternMatcher } from './pattern-matcher';
import { PushRefused } from './push-refused';

/** Number of addresses in one call. */
const emailsAtOnce = 1_000;

/** Whether a rule requires reading commits. */
export const concernsCommits = (rule: PushRule): boolean =>
  Boolean(rule.commitMessageRegex || rule.commitMessageNegativeRegex || rule.authorEmailRegex) ||
  rule.memberCheck ||
  rule.commitCommitterCheck ||
  rule.commitCommitterNameCheck ||
  rule.rejectUnsignedCommits ||
  rule.rejectNonDcoCommits;

/** Checks commits against the rules. */
@Injectable()
export class CommitChecks {
  constructor(
    private readonly matcher: PatternMatcher,
    private readonly client: OperationClient,
  ) {}

  /** @throws PushRefused for the first commit that breaks a rule */
  async require(commits: readonly IncomingCommit[], rule: PushRule, pusher: Pusher, who: string): Promise<void> {
    const messages = commits.map(({ message }) => message);
    const emails = [...new Set(commits.flatMap(({ author, committer }) => [author.email, committer.email]))];
    const has = await this.match(rule.commitMessageRegex, true, messages, who);
    const hasForbidden = await this.match(rule.commitMessageNegativeRegex, true, messages, who);
    const allowed = await this.match(rule.authorEmailRegex, false, emails, who);
    const users = rule.memberCheck || rule.commitCommitterCheck ? await this.usersOf(emails) : new Map();
    const byEmail = new Map(emails.map((email, index) => [email, allowed?.[index] ?? true]));
    for (const [index, commit] of commits.entries()) {
      const facts = {
        hasMessage: has?.[index] ?? true,
        hasForbiddenMessage: hasForbidden?.[index] ?? false,
        isAllowed: (email: string) => byEmail.get(email) ?? false,
        userIdOf: (email: string): number | undefined => users.get(email.toLowerCase()),
      };
      const objection = objectionTo(commit, rule, facts, pusher);
      if (objection) throw new PushRefused(objection);
    }
  }

  /** @returns undefined without a pattern */
  private async match(pattern: string | null, isMultiline: boolean, texts: string[], who: string) {
    return pattern ? this.matcher.find({ pattern, isMultiline, texts }, who) : undefined;
  }

  private async usersOf(emails: readonly string[]): Promise<Map<string, number>> {
    const wanted = [...new Set(emails.map((email) => email.toLowerCase()))];
    const users = new Map<string, number>();
    for (let at = 0; at < wanted.length; at += emailsAtOnce) {
      const some = wanted.slice(at, at + emailsAtOnce);
      for (const { email, user_id } of await this.client.call(usersByConfirmedEmail, { emails: some }))
        users.set(email, user_id);
    }
    return users;
  }
}
