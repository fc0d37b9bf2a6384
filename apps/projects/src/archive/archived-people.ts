import { isError, memberErrors, userIdsByUsername } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { today } from '../access/grants';
import { Members } from '../member/member.repository';
import type { MemberDocument } from '../member/member.schema';
import type { SourceKey } from '../member/source';
import type { ArchivedMember, ArchivedUser } from './archived-user';

interface Importer {
  userId: number;
  /** Administrators may match users by name alone. */
  isAdmin: boolean;
}

const membersAtOnce = 500;

/** Users as archives name them. */
@Injectable()
export class ArchivedPeople {
  constructor(
    private readonly members: Members,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  /** Members of a project or group, by ascending id. */
  async *membersOf(source: SourceKey): AsyncGenerator<ArchivedMember> {
    for (let after = 0; ; ) {
      const page = await this.members.model
        .find({ source, userId: { $gt: after } })
        .sort({ userId: 1 })
        .limit(membersAtOnce)
        .lean<MemberDocument[]>();
      const users = await this.users.records(page.map(({ userId }) => userId));
      for (const member of page) {
        const user = users.get(member.userId);
        if (user) yield archivedMember(member, user);
      }
      const last = page.at(-1);
      if (page.length < membersAtOnce || !last) return;
      after = last.userId;
    }
  }

  /** The users of these ids that still exist. */
  async named(ids: Iterable<number>): Promise<ArchivedUser[]> {
    const users = await this.users.records(ids);
    return [...users.values()]
      .sort((one, other) => one.id - other.id)
      .map(({ id, username, public_email, name }) => ({ id, username, public_email, name }));
  }

  /** A local user of that name; for callers other than administrators the public email address must match, too. */
  async match(named: Pick<ArchivedUser, 'username' | 'public_email'>, isAdmin: boolean): Promise<number | undefined> {
    const [found] = await this.client.call(userIdsByUsername, { usernames: [named.username] });
    if (!found || isAdmin) return found?.id;
    const user = (await this.users.records([found.id])).get(found.id);
    return named.public_email !== null && user?.public_email === named.public_email ? found.id : undefined;
  }

  /**
   * Adds matched users as members; expiry dates in the past are ignored. Idempotent.
   * @param most highest level that is granted
   */
  async addMembers(source: SourceKey, rows: ArchivedMember[], by: Importer, most: number): Promise<void> {
    for (const row of rows) {
      const userId = await this.match(row, by.isAdmin);
      const isOver = row.expires_at !== null && row.expires_at <= today();
      if (userId === undefined || isOver) continue;
      const accessLevel = Math.min(row.access_level, most);
      const member = { source, userId, accessLevel, expiresAt: row.expires_at };
      await this.members.add({ ...member, createdById: by.userId }).catch((error: unknown) => {
        if (!isError(error, memberErrors.exists)) throw error;
      });
    }
  }
}

const archivedMember = (
  { accessLevel, expiresAt }: MemberDocument,
  { username, public_email }: { username: string; public_email: string | null },
): ArchivedMember => ({
  username,
  public_email,
  access_level: accessLevel as ArchivedMember['access_level'],
  expires_at: expiresAt,
});
