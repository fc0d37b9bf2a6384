import {
  Access,
  downloadLfsObject,
  type EventRecordKind,
  eventfulTypes,
  eventRecordKinds,
  exportProjectRecords,
  exportProtections,
  exportPushRules,
  exportReleases,
  exportSchedules,
  getBundle,
  getRefs,
  listLfsObjects,
  type OutputOf,
  type ProjectRecordKind,
  projectRecordKinds,
} from '@moothall/contracts';
import { fetchBytes } from '@moothall/data-port';
import { OperationClient } from '@moothall/messaging';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import type { ArchiveDraft } from '../../archive/archive-draft';
import { ArchivedPeople } from '../../archive/archived-people';
import { Badges } from '../../badge/badge.repository';
import { projectKey } from '../../member/source';
import type { ProjectDocument } from '../../project/project.schema';
import { projectRefOf } from '../../project/project-ref';
import { keyOf, StoredUploads } from '../../upload/operations/stored-uploads';
import type { UploadDocument } from '../../upload/upload.schema';
import {
  type ArchivedProject,
  avatarPath,
  bundlePath,
  lfsPath,
  type Row,
  rowsPath,
  uploadPath,
} from '../format/archive-format';
import { usersIn } from '../format/archived-users';
import { RowNumbers } from './row-numbers';

const pageSize = 200;

/** State of one export. */
interface Parts {
  project: ProjectDocument;
  context: { project: ReturnType<typeof projectRefOf> };
  draft: ArchiveDraft;
  /** Users that records name. */
  named: Set<number>;
  numbers: RowNumbers;
}

/** Position in the records of a kind. */
type Cursor = { after_id: number; within_id?: number } | null;

/** Writes a project into an archive; it reads records of other services page by page. */
@Injectable()
export class WriteProjectParts {
  constructor(
    private readonly badges: Badges,
    private readonly uploads: StoredUploads,
    private readonly people: ArchivedPeople,
    private readonly storage: ObjectStorage,
    private readonly client: OperationClient,
  ) {}

  async write(project: ProjectDocument, description: string | null, draft: ArchiveDraft): Promise<void> {
    const context = { project: projectRefOf(project, Access.Owner) };
    const parts: Parts = { project, context, draft, named: new Set(), numbers: new RowNumbers() };
    // Records first: the git objects and files that they refer to exist then, or were deleted.
    for (const kind of projectRecordKinds) await draft.write(rowsPath(kind), this.recordsOf(parts, kind));
    await draft.write(rowsPath('members'), this.people.membersOf(projectKey(project._id)));
    await draft.write(rowsPath('badges'), await this.badgesOf(project));
    await draft.write(rowsPath('protections'), await this.client.call(exportProtections, {}, context));
    await draft.write(rowsPath('push_rules'), await this.client.call(exportPushRules, {}, context));
    await draft.write(rowsPath('releases'), this.releasesOf(parts));
    await draft.write(rowsPath('schedules'), this.schedulesOf(parts));
    if (project.avatar) await draft.writeBytes(avatarPath, (await this.storage.read(project.avatar.key)).stream);
    await this.writeUploads(parts);
    await this.writeLfsObjects(parts);
    const heads = { code: await this.writeBundle(parts, 'code'), wiki: await this.writeBundle(parts, 'wiki') };
    await draft.write(rowsPath('project'), [archivedProject(project, description ?? project.description, heads)]);
    await draft.write(rowsPath('users'), await this.people.named(parts.named));
  }

  private async *recordsOf({ context, named, numbers }: Parts, kind: ProjectRecordKind) {
    const number = numbers.of(kind);
    for (const resource_type of isOfEvents(kind) ? eventfulTypes : (['Issue'] as const)) {
      for (let cursor: Cursor = { after_id: 0 }; cursor; ) {
        const input = { kind, resource_type, ...cursor, limit: pageSize };
        const page: OutputOf<typeof exportProjectRecords> = await this.client.call(
          exportProjectRecords,
          input,
          context,
        );
        for (const row of (page[kind] ?? []).flatMap(number)) {
          for (const id of usersIn(row)) named.add(id);
          yield row;
        }
        cursor = cursorAfter(page);
      }
    }
  }

  private async *releasesOf({ context, named }: Parts): AsyncGenerator<Row<'releases'>> {
    for (let after_id: number | null = 0; after_id !== null; ) {
      const page: OutputOf<typeof exportReleases> = await this.client.call(exportReleases, { after_id }, context);
      for (const release of page.releases) {
        named.add(release.author_id);
        yield release;
      }
      after_id = page.next_after_id;
    }
  }

  private async *schedulesOf({ context }: Parts): AsyncGenerator<Row<'schedules'>> {
    let line = 0;
    for (let after_id: number | null = 0; after_id !== null; ) {
      const page: OutputOf<typeof exportSchedules> = await this.client.call(exportSchedules, { after_id }, context);
      for (const schedule of page.schedules) yield { ...schedule, id: ++line };
      after_id = page.next_after_id;
    }
  }

  private async badgesOf({ _id }: ProjectDocument): Promise<Row<'badges'>[]> {
    const badges = await this.badges.list(projectKey(_id));
    return badges.map(({ name, linkUrl, imageUrl }) => ({ name, link_url: linkUrl, image_url: imageUrl }));
  }

  private async writeUploads({ project, draft, named }: Parts): Promise<void> {
    const written: Row<'uploads'>[] = [];
    for await (const upload of this.uploads.ofProject(project._id)) {
      const { stream } = await this.storage.read(keyOf(upload));
      await draft.writeBytes(uploadPath(upload._id), stream);
      named.add(upload.userId);
      written.push(archivedUpload(upload));
    }
    await draft.write(rowsPath('uploads'), written);
  }

  private async writeLfsObjects({ context, draft }: Parts): Promise<void> {
    for (let after = ''; ; ) {
      const objects = await this.client.call(listLfsObjects, { after }, context);
      for (const { oid } of objects) {
        const bytes = await fetchBytes(await this.client.call(downloadLfsObject, { oid }, context));
        if (bytes) await draft.writeBytes(lfsPath(oid), bytes);
      }
      const last = objects.at(-1);
      if (!last) return;
      after = last.oid;
    }
  }

  /** @returns the branch of HEAD; null without a repository or without commits */
  private async writeBundle({ project, context, draft }: Parts, kind: 'code' | 'wiki'): Promise<string | null> {
    const repository = { project_id: project._id, kind };
    const { exists, head } = await this.client.call(getRefs, repository, context);
    if (!exists) return null;
    const bytes = await fetchBytes(await this.client.call(getBundle, repository, context));
    if (!bytes) return null;
    await draft.writeBytes(bundlePath(kind === 'code' ? 'repository' : 'wiki'), bytes);
    return head;
  }
}

const isOfEvents = (kind: ProjectRecordKind): boolean => eventRecordKinds.includes(kind as EventRecordKind);

function cursorAfter({ next_after_id: after_id, next_within_id }: OutputOf<typeof exportProjectRecords>): Cursor {
  if (after_id === null) return null;
  return { after_id, ...(next_within_id !== undefined && { within_id: next_within_id }) };
}

const archivedUpload = (upload: UploadDocument): Row<'uploads'> => ({
  id: upload._id,
  filename: upload.filename,
  content_type: upload.contentType,
  user_id: upload.userId,
  created_at: upload.createdAt.toISOString(),
});

const archivedProject = (
  project: ProjectDocument,
  description: string | null,
  heads: { code: string | null; wiki: string | null },
): ArchivedProject => ({
  name: project.name,
  path: project.path,
  description,
  visibility: project.visibility,
  default_branch: heads.code,
  wiki_branch: heads.wiki,
  topics: project.topics,
  features: project.features,
  settings: project.settings,
  avatar: project.avatar?.filename ?? null,
});
