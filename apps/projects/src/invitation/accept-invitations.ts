import { eachAlone, PeriodicJob } from '@moothall/background';
import {
  type EventData,
  type EventRecord,
  isError,
  memberErrors,
  userChanged,
  userCreated,
  userSummaries,
  usersByConfirmedEmail,
} from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { isCurrent } from '../access/grants';
import { Members } from '../member/member.repository';
import { emailKeyOf, Invitations } from './invitation.repository';
import type { InvitationDocument } from './invitation.schema';

/** Number of email addresses in one call to identity. */
const batch = 500;

/** Turns invitations into memberships once a user has the address. See docs/api/members.md#4. */
@Injectable()
export class AcceptInvitations {
  constructor(
    private readonly invitations: Invitations,
    private readonly members: Members,
    private readonly client: OperationClient,
  ) {}

  @OnEvent(userCreated, 'AcceptInvitations-created')
  async created({ data }: EventRecord<EventData<typeof userCreated>>): Promise<void> {
    await this.acceptAs(data.user_id);
  }

  /** Also after a user confirms an address. */
  @OnEvent(userChanged, 'AcceptInvitations-changed')
  async changed({ data }: EventRecord<EventData<typeof userChanged>>): Promise<void> {
    await this.acceptAs(data.user_id);
  }

  /** For addresses without an event: all but the primary one. */
  @PeriodicJob('invitations', { everySeconds: 300 })
  async run(signal?: AbortSignal): Promise<void> {
    for (let after = 0; !signal?.aborted; ) {
      const some = await this.invitations.model
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(batch)
        .lean<InvitationDocument[]>();
      const last = some.at(-1);
      if (!last) return;
      after = last._id;
      await this.accept(some, signal);
    }
  }

  /** Reads the user again: the address may have changed. */
  private async acceptAs(userId: number): Promise<void> {
    if ((await this.invitations.model.exists({})) === null) return;
    const [user] = await this.client.call(userSummaries, { ids: [userId] });
    if (!user) return;
    const emailKey = emailKeyOf(user.email);
    const open = await this.invitations.model.find({ emailKey }).lean<InvitationDocument[]>();
    if (open.length > 0) await this.accept(open);
  }

  private async accept(open: InvitationDocument[], signal?: AbortSignal): Promise<void> {
    const emails = [...new Set(open.map(({ emailKey }) => emailKey))];
    const holders = new Map(
      (await this.client.call(usersByConfirmedEmail, { emails })).map(({ email, user_id }) => [email, user_id]),
    );
    const met = open.flatMap((invitation) => {
      const userId = holders.get(invitation.emailKey);
      return userId === undefined ? [] : [{ invitation, userId }];
    });
    await eachAlone(met, (one) => this.join(one.invitation, one.userId), signal);
  }

  /** Idempotent: an existing membership stays. */
  private async join(invitation: InvitationDocument, userId: number): Promise<void> {
    const { _id, source, accessLevel, expiresAt, createdById } = invitation;
    if (isCurrent(expiresAt)) {
      await this.members.add({ source, userId, accessLevel, expiresAt, createdById }).catch((error: unknown) => {
        if (!isError(error, memberErrors.exists)) throw error;
      });
    }
    await this.invitations.remove(_id);
  }
}
