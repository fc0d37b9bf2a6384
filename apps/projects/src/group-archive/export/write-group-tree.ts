import { exportedKinds, exportGroupRecords, present } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { ArchiveDraft } from '../../archive/archive-draft';
import { ArchivedPeople } from '../../archive/archived-people';
import { Badges } from '../../badge/badge.repository';
import { groupKey } from '../../member/source';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { type ArchivedGroup, allPath, groupPath, type Row, rowsPath, usersPath } from '../format/archive-format';

type Progress = (done: number, total: number) => Promise<void>;
type ContentKind = (typeof exportedKinds)[number];

const pageSize = 200;

/** Writes a group with everything below it into an archive; it reads records of other services page by page. */
@Injectable()
export class WriteGroupTree {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly badges: Badges,
    private readonly people: ArchivedPeople,
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
      await draft.write(rowsPath(at + 1, 'members'), this.people.membersOf(groupKey(group._id)));
      await draft.write(rowsPath(at + 1, 'badges'), await this.badgesOf(group));
      for (const kind of exportedKinds) await draft.write(rowsPath(at + 1, kind), this.recordsOf(group, kind, named));
    }
    await draft.write(usersPath, await this.people.named(named));
    await draft.write(
      allPath,
      groups.map((_, at) => ({ number: at + 1 })),
    );
    await progress(groups.length, groups.length);
    return groups.length;
  }

  /** The group and all groups below it, parents first and siblings by path: the order does not depend on ids. */
  private async listFromTop(top: NamespaceDocument): Promise<NamespaceDocument[]> {
    const below = await this.namespaces.model
      .find({ ancestorIds: top._id, isDeleting: false })
      .lean<NamespaceDocument[]>();
    const depth = ({ ancestorIds }: NamespaceDocument) => ancestorIds.length;
    below.sort((one, other) => depth(one) - depth(other) || (one.pathKey < other.pathKey ? -1 : 1));
    return [top, ...below];
  }

  private async badgesOf(group: NamespaceDocument): Promise<Row<'badges'>[]> {
    const badges = await this.badges.list(groupKey(group._id));
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
