import {
  type ContextOf,
  type ParsedOf,
  type ResultOf,
  userActivities,
  userIdsByUsername,
  userSummaries,
  usersByConfirmedEmail,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user.repository';
import type { User } from '../user.schema';
import { UserViews } from '../user.view';

/** Answers other services with users. */
@Controller()
export class UserReferences {
  constructor(
    private readonly users: Users,
    private readonly views: UserViews,
  ) {}

  @Handles(userSummaries)
  async summaries(
    _context: ContextOf<typeof userSummaries>,
    { ids }: ParsedOf<typeof userSummaries>,
  ): Promise<ResultOf<typeof userSummaries>> {
    const users = await this.users.findMany(ids);
    return users.map((user) => ({
      ...this.views.summary(user),
      created_at: user.createdAt.toISOString(),
      email: user.email,
      public_email: user.profile.publicEmail,
      is_admin: user.isAdmin,
      is_external: user.isExternal,
      can_create_group: user.canCreateGroup,
      projects_limit: user.projectsLimit,
    }));
  }

  @Handles(userActivities)
  async activities(
    _context: ContextOf<typeof userActivities>,
    { ids }: ParsedOf<typeof userActivities>,
  ): Promise<ResultOf<typeof userActivities>> {
    const users = await this.users.findMany(ids);
    return users.map(({ _id, kind, lastActivityOn, currentSignInAt }) => ({
      id: _id,
      is_bot: kind === 'project_bot' || kind === 'service_account',
      last_activity_on: lastActivityOn,
      last_sign_in_at: currentSignInAt?.toISOString() ?? null,
    }));
  }

  @Handles(usersByConfirmedEmail)
  async byConfirmedEmail(
    _context: ContextOf<typeof usersByConfirmedEmail>,
    { emails }: ParsedOf<typeof usersByConfirmedEmail>,
  ): Promise<ResultOf<typeof usersByConfirmedEmail>> {
    const users = (await this.users.findManyByEmail(emails)).filter(({ state }) => state === 'active');
    const holders = new Map(users.flatMap((user) => confirmedEmailsOf(user).map((email) => [email, user._id])));
    return emails.flatMap((email) => {
      const user_id = holders.get(email);
      return user_id === undefined ? [] : [{ email, user_id }];
    });
  }

  @Handles(userIdsByUsername)
  async idsByUsername(
    _context: ContextOf<typeof userIdsByUsername>,
    { usernames }: ParsedOf<typeof userIdsByUsername>,
  ): Promise<ResultOf<typeof userIdsByUsername>> {
    const users = await this.users.findManyByUsername(usernames);
    return users.map((user) => ({ id: user._id, username: user.username }));
  }
}

/** In lower case. */
const confirmedEmailsOf = ({ email, confirmedAt, secondaryEmails }: User): string[] =>
  [{ email, confirmedAt }, ...secondaryEmails]
    .filter((address) => address.confirmedAt !== null)
    .map((address) => address.email.toLowerCase());
