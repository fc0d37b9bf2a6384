import { exportedKinds, exportGroupRecords, present } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { Badges } from '../../badge/badge.repository';
import { Members } from '../../member/member.repository';
import type { MemberDocument } from '../../member/member.schema';
import { groupKey } from '../../member/source';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import {
  type ArchivedGroup,
  type ArchivedUser,
  allPath,
  groupPath,
  type Row,
  rowsPath,
  usersPath,
} from '../format/archive-format';
import type { ArchiveDraft } from '../format/write-archive';

type Progress = (done: number, total: number) => Promise<void>;
type ContentKind = (typeof exportedKinds)[number];

const pageSize = 200;
const membersAtOnce = 500;

/** Writes a group with all below it into an archive, other services' records page by page. */
@Injectable()
export class WriteGroupTree {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly members: Members,
    private readonly badges: Badges,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  /** @returns the number of groups written */
  async write(top: NamespaceDocument, draft: ArchiveDraft, progress: Progress): Promise<number> {
    const groups = await this.listFromTop(top);
    const numbers = new Map(groups.map((group, at) => [group._id, at + 1]));
    const named = new Set<number>();
    for (const [at, group] of groups.entries()) {
      await progress(at, groups.length);
      await draft.write(groupPath(at + 1), [archivedGroup(group, numbers)]);
      await draft.write(rowsPath(at + 1, 'members'), this.membersOf(group));
      await draft.write(rowsPath(at + 1, 'badges'), await this.badgesOf(group));
      for (const kind of exportedKinds) await draft.write(rowsPath(at + 1, kind), this.recordsOf(group, kind, named));
    }
    await draft.write(usersPath, await this.usersNamed(named));
    await draft.write(
      allPath,
      groups.map((_, at) => ({ number: at + 1 })),
    );
    await progress(groups.length, groups.length);
    return groups.length;
  }

  /** The group and all below it, parents first, those beside one another by path: the order does not depend on ids. */
  private async listFromTop(top: NamespaceDocument): Promise<NamespaceDocument[]> {
    const below = await this.namespaces.model
      .find({ ancestorIds: top._id, isDeleting: false })
      .lean<NamespaceDocument[]>();
    const depth = ({ ancestorIds }: NamespaceDocument) => ancestorIds.length;
    below.sort((one, other) => depth(one) - depth(other) || (one.pathKey < other.pathKey ? -1 : 1));
    return [top, ...below];
  }

  private async *membersOf(group: NamespaceDocument): AsyncGenerator<Row<'members'>> {
    for (let after = 0; ; ) {
      const page = await this.members.model
        .find({ source: groupKey(group._id), userId: { $gt: after } })
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

  private async badgesOf(group: NamespaceDocument): Promise<Row<'badges'>[]> {
    const badges = await this.badges.list([groupKey(group._id)]);
    return badges.map(({ name, linkUrl, imageUrl }) => ({ name, link_url: linkUrl, image_url: imageUrl }));
  }

  private async *recordsOf(group: NamespaceDocument, kind: ContentKind, named: Set<number>): AsyncGenerator<unknown> {
    let taken = {};
    for (let after: number | null = 0; after !== null; ) {
      const input = { group_id: group._id, kind, after_id: after, limit: pageSize, ...taken };
      const page: Awaited<ReturnType<typeof this.page>> = await this.page(input);
      for (const epic of page.epics ?? []) {
        for (const id of [epic.author_id, ...epic.notes.map((note) => note.author_id)]) named.add(id);
      }
      yield* page[kind] ?? [];
      after = page.next_after_id;
      taken = page.next_notes ?? {};
    }
  }

  private async page(input: { group_id: number; kind: ContentKind; after_id: number; limit: number }) {
    return this.client.call(exportGroupRecords, input);
  }

  private async usersNamed(ids: Set<number>): Promise<ArchivedUser[]> {
    const users = await this.users.records(ids);
    return [...users.values()]
      .sort((one, other) => one.id - other.id)
      .map(({ id, username, public_email }) => ({ id, username, public_email }));
  }
}

const archivedGroup = (group: NamespaceDocument, numbers: Map<number, number>): ArchivedGroup => ({
  number: present(numbers.get(group._id), 'the number of a group'),
  parent_number: numbers.get(group.parentId ?? 0) ?? null,
  name: group.name,
  path: group.path,
  description: group.description,
  visibility: group.visibility,
  settings: group.settings,
});

const archivedMember = (
  { accessLevel, expiresAt }: MemberDocument,
  { username, public_email }: { username: string; public_email: string | null },
): Row<'members'> => ({
  username,
  public_email,
  access_level: accessLevel as Row<'members'>['access_level'],
  expires_at: expiresAt,
});
