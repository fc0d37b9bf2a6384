import {
  Access,
  defaultGroupSettings,
  type InputOf,
  importGroupRecords,
  onlyGiven,
  present,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ArchivedPeople } from '../../archive/archived-people';
import { Badges } from '../../badge/badge.repository';
import { WriteGroup } from '../../group/write-group';
import { groupKey } from '../../member/source';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { narrower } from '../../namespace/visibility-rules';
import type { ArchivedGroup, Row, RowKind } from '../format/archive-format';
import type { ArchiveReader } from '../format/read-archive';
import type { GroupImportDocument } from './group-import.schema';
import { GroupImports } from './group-imports';

const batchSize = 100;
/** Far below the maximum size of a message, even with one more row of maximum length. */
const batchBytes = 1024 ** 2;
type Progress = (rows: number) => Promise<void>;

/** Creates the groups of an archive and their records. */
@Injectable()
export class FillGroups {
  constructor(
    private readonly imports: GroupImports,
    private readonly writer: WriteGroup,
    private readonly archived: ArchivedPeople,
    private readonly badges: Badges,
    private readonly client: OperationClient,
  ) {}

  /** A reader for one pass over one archive. */
  reader(wanted: GroupImportDocument, top: NamespaceDocument, progress: Progress): ArchiveReader {
    const groups = new Map<number, NamespaceDocument>([[1, top]]);
    const people = new Map<number, number>();
    const groupOf = (number: number) => present(groups.get(number), `group ${number}`);
    let batch: unknown[] = [];
    let bytes = 0;
    const flush = async (number: number, kind: RowKind) => {
      const rows = batch;
      batch = [];
      bytes = 0;
      if (rows.length === 0) return;
      await this.write(wanted, groupOf(number), kind, rows, people);
      await progress(rows.length);
    };
    return {
      user: async (user) => {
        people.set(user.id, (await this.archived.match(user, wanted.isAdmin)) ?? wanted.userId);
      },
      group: async (group) => {
        if (group.number > 1) groups.set(group.number, await this.subgroup(wanted, group, groups));
        // An earlier run may have added some, and badges have no natural key.
        await this.badges.forget(groupKey(groupOf(group.number)._id));
      },
      row: async (number, kind, row, sizeBytes) => {
        batch.push(row);
        bytes += sizeBytes;
        if (batch.length >= batchSize || bytes >= batchBytes) await flush(number, kind);
      },
      endOfRows: flush,
    };
  }

  /** A subgroup; an earlier run may have created it. */
  private async subgroup(
    wanted: GroupImportDocument,
    group: ArchivedGroup,
    groups: Map<number, NamespaceDocument>,
  ): Promise<NamespaceDocument> {
    const made = await this.imports.made(wanted._id, group.number);
    if (made) return made;
    const parent = present(groups.get(group.parent_number ?? 1), 'the group above');
    return this.writer.write({
      _id: await this.imports.idFor(wanted, group.number),
      name: group.name,
      path: group.path,
      parent,
      description: group.description,
      visibility: narrower(group.visibility, parent.visibility),
      settings: { ...defaultGroupSettings, ...onlyGiven(group.settings) },
      creatorId: wanted.userId,
      importedAs: { importId: wanted._id, number: group.number },
    });
  }

  private async write(
    wanted: GroupImportDocument,
    group: NamespaceDocument,
    kind: RowKind,
    rows: unknown[],
    people: Map<number, number>,
  ): Promise<void> {
    if (kind === 'members')
      await this.archived.addMembers(groupKey(group._id), rows as Row<'members'>[], wanted, Access.Owner);
    else if (kind === 'badges') await this.addBadges(group, rows as Row<'badges'>[]);
    else {
      const records = kind === 'epics' ? withAuthors(rows as Row<'epics'>[], people, wanted.userId) : rows;
      const input = { group_id: group._id, ancestor_ids: group.ancestorIds, [kind]: records };
      await this.client.call(importGroupRecords, input as InputOf<typeof importGroupRecords>);
    }
  }

  private async addBadges(group: NamespaceDocument, rows: Row<'badges'>[]): Promise<void> {
    for (const { name, ...urls } of rows) {
      await this.badges.add(groupKey(group._id), { ...urls, ...(name !== null && { name }) });
    }
  }
}

const withAuthors = (epics: Row<'epics'>[], people: Map<number, number>, importer: number): Row<'epics'>[] =>
  epics.map((epic) => ({
    ...epic,
    author_id: people.get(epic.author_id) ?? importer,
    notes: epic.notes.map((note) => ({ ...note, author_id: people.get(note.author_id) ?? importer })),
  }));
