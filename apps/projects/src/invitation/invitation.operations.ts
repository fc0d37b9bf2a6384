import {
  type Caller,
  deleteGroupInvitation,
  deleteProjectInvitation,
  type GroupRef,
  type Invitation,
  inviteToGroup,
  inviteToProject,
  listGroupInvitations,
  listProjectInvitations,
  OperationError,
  type Page,
  type ParsedOf,
  type ProjectRef,
  present,
  updateGroupInvitation,
  updateProjectInvitation,
  usersByConfirmedEmail,
  wordsOf,
} from '@moothall/contracts';
import { HandlesEach, OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Controller, Inject } from '@nestjs/common';
import { today } from '../access/grants';
import { Mails } from '../mail/mails';
import { requireGrantable, requireInFuture, requireListed, requireNotBelowInherited } from '../member/level-rules';
import { Members } from '../member/member.repository';
import { InheritedLevels } from '../member/operations/inherited-levels';
import { groupSource, projectSource, type Source } from '../member/source';
import { emailKeyOf, Invitations } from './invitation.repository';
import type { InvitationDocument } from './invitation.schema';

interface Context {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
  caller: Caller;
}
type Creation = Omit<ParsedOf<typeof inviteToProject>, 'id'>;

/** Limit of open invitations in one project or group. */
const mostOpen = 1000;
const emailForm = /^[^@\s<>",]+@[^@\s<>",]+$/;

/** Operations on the invitations to a project or group. See docs/api/members.md#4. */
abstract class InvitationOperations {
  constructor(
    private readonly invitations: Invitations,
    private readonly members: Members,
    private readonly inherited: InheritedLevels,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
    private readonly mails: Mails,
    private readonly settings: ServiceSettings,
  ) {}

  async list(
    context: Context,
    input: { query?: string | undefined; page: number; per_page: number },
  ): Promise<Page<Invitation>> {
    const { items, total } = await this.invitations.page(sourceOf(context).key, input);
    return { items: await this.view(items), total };
  }

  async create(context: Context, input: Creation) {
    const source = sourceOf(context);
    requireListed(source, input.access_level);
    requireGrantable(source.accessLevel, input.access_level);
    requireInFuture(input.expires_at, today());
    const emails = [...new Set((input.email ?? []).map((email) => email.trim()))];
    const holders = await this.holdersOf(emails);
    const failures: Record<string, string> = {};
    const tried = async (name: string, work: () => Promise<string | undefined>) => {
      const failure = await work().catch((error: unknown) => {
        if (error instanceof OperationError) return wordsOf(error);
        throw error;
      });
      if (failure) failures[name] = failure;
    };
    const open = await this.invitations.count(source.key);
    for (const [index, email] of emails.entries()) {
      const userId = holders.get(emailKeyOf(email));
      if (userId !== undefined) await tried(email, () => this.join(source, userId, input, context.caller));
      else if (open + index >= mostOpen) failures[email] = 'Too many invitations are open';
      else await tried(email, () => this.invite(source, email, input, context.caller));
    }
    for (const userId of new Set(input.user_id))
      await tried(String(userId), () => this.join(source, userId, input, context.caller));
    const status = Object.keys(failures).length > 0 ? ('error' as const) : ('success' as const);
    return status === 'error' ? { status, message: failures } : { status };
  }

  async update(
    context: Context,
    input: { email: string; access_level?: number | undefined; expires_at?: string | null | undefined },
  ): Promise<Invitation> {
    const source = sourceOf(context);
    const { access_level: accessLevel, expires_at: expiresAt } = input;
    const invitation = await this.invitations.get(source.key, input.email);
    requireGrantable(source.accessLevel, invitation.accessLevel);
    if (accessLevel !== undefined) {
      requireListed(source, accessLevel);
      requireGrantable(source.accessLevel, accessLevel);
    }
    requireInFuture(expiresAt, today());
    const [view] = await this.view([await this.invitations.change(invitation._id, { accessLevel, expiresAt })]);
    return present(view, 'the invitation');
  }

  async delete(context: Context, { email }: { email: string }): Promise<void> {
    const source = sourceOf(context);
    const invitation = await this.invitations.get(source.key, email);
    requireGrantable(source.accessLevel, invitation.accessLevel);
    await this.invitations.remove(invitation._id);
  }

  private async holdersOf(emails: string[]): Promise<Map<string, number>> {
    if (emails.length === 0) return new Map();
    const found = await this.client.call(usersByConfirmedEmail, { emails: emails.map(emailKeyOf) });
    return new Map(found.map(({ email, user_id }) => [email, user_id]));
  }

  private async join(
    source: Source,
    userId: number,
    { access_level: accessLevel, expires_at: expiresAt }: Creation,
    caller: Caller,
  ): Promise<undefined> {
    await this.users.get(userId);
    requireNotBelowInherited(await this.inherited.findHighest(source, userId), accessLevel);
    await this.members.add({ source: source.key, userId, accessLevel, expiresAt, createdById: caller.id });
  }

  /** @returns the problem, if any */
  private async invite(
    source: Source,
    email: string,
    { access_level: accessLevel, expires_at: expiresAt = null }: Creation,
    caller: Caller,
  ): Promise<string | undefined> {
    if (!emailForm.test(email)) return 'Invite email is invalid';
    const given = { source: source.key, email, accessLevel, expiresAt, createdById: caller.id };
    const invitation = await this.invitations.add(given);
    if (!invitation) return 'The member already exists';
    await this.tell(source, invitation, caller).catch(async (error: unknown) => {
      // Otherwise the address could not be invited again, and would get no mail.
      await this.invitations.remove(invitation._id);
      throw error;
    });
    return undefined;
  }

  private tell(
    { kind, fullName, fullPath }: Source,
    { _id, email }: InvitationDocument,
    caller: Caller,
  ): Promise<void> {
    const address = this.settings.EXTERNAL_URL;
    return this.mails.toAddress(email, `invitation ${_id}`, {
      subject: `Invitation to join the ${fullName} ${kind}`,
      text: `${caller.name} (@${caller.username}) invites you to the ${kind} ${fullPath} on ${address}.

You become a member as soon as an account there has this address, and it is confirmed. If you have none, ask
whoever invited you.
`,
    });
  }

  private async view(invitations: InvitationDocument[]): Promise<Invitation[]> {
    const users = await this.users.summaries(invitations.map(({ createdById }) => createdById));
    return invitations.map(({ _id, email, accessLevel, expiresAt, createdAt, createdById }) => ({
      id: _id,
      access_level: accessLevel,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt,
      invite_email: email,
      created_by_name: users.get(createdById)?.name ?? null,
    }));
  }
}

function sourceOf({ project, group }: Context): Source {
  return project ? projectSource(project) : groupSource(present(group, 'a project or group'));
}

@HandlesEach({
  list: listProjectInvitations,
  create: inviteToProject,
  update: updateProjectInvitation,
  delete: deleteProjectInvitation,
})
@Controller()
export class ProjectInvitations extends InvitationOperations {
  constructor(
    invitations: Invitations,
    members: Members,
    inherited: InheritedLevels,
    users: UserDirectory,
    client: OperationClient,
    mails: Mails,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    super(invitations, members, inherited, users, client, mails, settings);
  }
}

@HandlesEach({
  list: listGroupInvitations,
  create: inviteToGroup,
  update: updateGroupInvitation,
  delete: deleteGroupInvitation,
})
@Controller()
export class GroupInvitations extends InvitationOperations {
  constructor(
    invitations: Invitations,
    members: Members,
    inherited: InheritedLevels,
    users: UserDirectory,
    client: OperationClient,
    mails: Mails,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    super(invitations, members, inherited, users, client, mails, settings);
  }
}
