import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  Access,
  defaultProjectSettings,
  type InputOf,
  importProjectRecords,
  importProtections,
  importPushRules,
  importReleases,
  importSchedules,
  onlyGiven,
  type ProjectRecordKind,
  pictureTypeOf,
  present,
  projectChanged,
  projectRecordKinds,
  receiveBundle,
  uploadLfsObject,
  type Visibility,
} from '@moothall/contracts';
import { imageOf, sendBytes } from '@moothall/data-port';
import { newEvent, Outbox } from '@moothall/database';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ArchivedPeople } from '../../archive/archived-people';
import type { ArchivedMember, ArchivedUser } from '../../archive/archived-user';
import { Badges } from '../../badge/badge.repository';
import { Avatars } from '../../image/avatars';
import { InstanceSettings } from '../../instance/application-settings/instance-settings';
import { projectKey } from '../../member/source';
import { Namespaces } from '../../namespace/namespace.repository';
import { narrower } from '../../namespace/visibility-rules';
import { defaultFeatures } from '../../project/features';
import { Projects } from '../../project/project.repository';
import type { ProjectDocument } from '../../project/project.schema';
import { projectRefOf } from '../../project/project-ref';
import { ProjectTopics } from '../../project/project-topics';
import { StoredUploads } from '../../upload/operations/stored-uploads';
import type { ArchivedProject, BytesKind, Row, RowKind } from '../format/archive-format';
import { withUsers } from '../format/archived-users';
import type { ArchiveReader } from '../format/read-archive';
import { placed, unrestricted } from './placed-record';
import type { FirstIds, ProjectImportDocument } from './project-import.schema';
import { withAuthorLine } from './with-author-line';

const batchSize = 100;
/** Far below the maximum size of a message, even with one more row of maximum length. */
const batchBytes = 1024 ** 2;
/** Sizes in the archive are not limited here; the receiver has its own limits. */
const mostBytes = Number.MAX_SAFE_INTEGER;

const recordKinds: readonly string[] = projectRecordKinds;
const isRecordKind = (kind: RowKind): kind is ProjectRecordKind => recordKinds.includes(kind);

/** One run over one archive. */
interface Filling {
  wanted: ProjectImportDocument;
  firstIds: FirstIds;
  archived?: ArchivedProject;
  /** Visibilities that the importer may not use. */
  restricted: readonly Visibility[];
  people: Map<number, { here: number | undefined; archived: ArchivedUser }>;
  uploads: Map<string, Row<'uploads'>>;
}

/** Creates the content of a project from an archive. Idempotent. */
@Injectable()
export class FillProject {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly instance: InstanceSettings,
    private readonly topics: ProjectTopics,
    private readonly outbox: Outbox,
    private readonly badges: Badges,
    private readonly avatars: Avatars,
    private readonly uploads: StoredUploads,
    private readonly people: ArchivedPeople,
    private readonly client: OperationClient,
  ) {}

  reader(wanted: ProjectImportDocument, firstIds: FirstIds): ArchiveReader {
    const filling: Filling = { wanted, firstIds, restricted: [], people: new Map(), uploads: new Map() };
    let batch: unknown[] = [];
    let bytes = 0;
    const flush = async (kind: RowKind) => {
      const rows = batch;
      batch = [];
      bytes = 0;
      if (rows.length > 0 || kind === 'protections') await this.write(filling, kind, rows);
    };
    return {
      row: async (kind, row, sizeBytes) => {
        batch.push(row);
        bytes += sizeBytes;
        if (batch.length >= batchSize || bytes >= batchBytes) if (kind !== 'protections') await flush(kind);
      },
      endOfRows: flush,
      bytes: (kind, name, sizeBytes, content) => this.send(filling, kind, name, sizeBytes, content),
    };
  }

  private async write(filling: Filling, kind: RowKind, rows: unknown[]): Promise<void> {
    const { wanted } = filling;
    const key = projectKey(wanted._id);
    if (isRecordKind(kind)) await this.writeRecords(filling, kind, rows);
    else if (kind === 'users') await this.meet(filling, rows as ArchivedUser[]);
    else if (kind === 'project') await this.describe(filling, rows[0] as ArchivedProject);
    else if (kind === 'members')
      await this.people.addMembers(
        key,
        rows as ArchivedMember[],
        wanted,
        Math.min(wanted.accessLevel, Access.Maintainer),
      );
    else if (kind === 'badges') await this.addBadges(wanted._id, rows as Row<'badges'>[]);
    else if (kind === 'uploads') for (const row of rows as Row<'uploads'>[]) filling.uploads.set(row.id, row);
    else if (kind === 'releases') await this.addReleases(filling, rows);
    else if (kind === 'push_rules')
      await this.client.call(importPushRules, rows[0] as Row<'push_rules'>, await this.on(wanted));
    else if (kind === 'schedules') {
      const input = { owner_id: wanted.userId, schedules: rows as Row<'schedules'>[] };
      await this.client.call(importSchedules, input, await this.on(wanted));
    } else
      await this.client.call(importProtections, { protections: rows as Row<'protections'>[] }, await this.on(wanted));
  }

  private async meet({ people, wanted }: Filling, users: ArchivedUser[]): Promise<void> {
    for (const archived of users) {
      people.set(archived.id, { here: await this.people.match(archived, wanted.isAdmin), archived });
    }
  }

  /** Applies the archived settings; the visibility is limited by the namespace and by the importer's rights. */
  private async describe(filling: Filling, archived: ArchivedProject): Promise<void> {
    filling.archived = archived;
    const { _id, overrides, isAdmin } = filling.wanted;
    const project = await this.projects.get(_id);
    const namespace = await this.namespaces.get(project.namespaceId);
    const widest = namespace.kind === 'group' ? namespace.visibility : 'public';
    const visibility = overrides.visibility ?? narrower(archived.visibility, widest);
    const { restricted_visibility_levels } = await this.instance.read();
    filling.restricted = isAdmin ? [] : restricted_visibility_levels;
    const topics = await this.topics.known(archived.topics);
    const $set = {
      description: overrides.description ?? archived.description,
      visibility: unrestricted(visibility, filling.restricted),
      features: { ...defaultFeatures, ...onlyGiven(archived.features) },
      settings: { ...defaultProjectSettings, ...onlyGiven(archived.settings) },
      topics,
    };
    const event = newEvent(projectChanged, { project_id: _id, full_path: project.fullPath, change: 'updated' });
    const named = [...new Set([...project.topics, ...topics])];
    await this.topics.whileChanging(named, () => this.outbox.update(this.projects.model, { _id }, { $set }, event));
  }

  private async addBadges(projectId: number, rows: Row<'badges'>[]): Promise<void> {
    // An earlier run may have added some, and badges have no natural key.
    await this.badges.forget(projectKey(projectId));
    for (const { name, ...urls } of rows) {
      await this.badges.add(projectKey(projectId), { ...urls, ...(name !== null && { name }) });
    }
  }

  private async writeRecords(filling: Filling, kind: ProjectRecordKind, rows: unknown[]): Promise<void> {
    const records = rows.map((row) => this.translate(filling, kind, row));
    const input = { [kind]: records } as InputOf<typeof importProjectRecords>;
    await this.client.call(importProjectRecords, input, await this.on(filling.wanted));
  }

  private async addReleases(filling: Filling, rows: unknown[]): Promise<void> {
    const releases = rows.map((row) => this.translate(filling, 'releases', row)) as Row<'releases'>[];
    await this.client.call(importReleases, { releases }, await this.on(filling.wanted));
  }

  /** Converts a record to this instance: its users and files, and a line about missing authors. */
  private translate(filling: Filling, kind: ProjectRecordKind | 'releases', row: unknown): unknown {
    const { people, wanted } = filling;
    const idOf = (id: number) => people.get(id)?.here;
    const attributed = withAuthorLine(row, (id) =>
      idOf(id) === undefined ? (people.get(id)?.archived ?? null) : undefined,
    );
    return placed(filling, kind, withUsers(withUploads(attributed, wanted._id), idOf, wanted.userId));
  }

  private async send(
    filling: Filling,
    kind: BytesKind,
    name: string,
    size: number,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    const context = await this.on(filling.wanted);
    if (kind === 'avatar') await this.setAvatar(filling, await buffer(content));
    else if (kind === 'upload') await this.addUpload(filling, name, content);
    else if (kind === 'lfs') {
      const address = await this.client.call(uploadLfsObject, { oid: name, size, most_bytes: mostBytes }, context);
      await sendBytes(address, content, size);
    } else {
      const isCode = kind === 'repository';
      const head = (isCode ? filling.archived?.default_branch : filling.archived?.wiki_branch) ?? null;
      const bundle = {
        project_id: filling.wanted._id,
        kind: isCode ? 'code' : 'wiki',
        head,
        most_bytes: size,
      } as const;
      await sendBytes(await this.client.call(receiveBundle, bundle, context), content, size);
    }
  }

  /** An existing avatar stays, from an earlier run or a user. */
  private async setAvatar({ wanted: { _id }, archived }: Filling, bytes: Buffer): Promise<void> {
    const { avatar: known, fullPath } = await this.projects.get(_id);
    if (known) return;
    const image = imageOf(
      bytes,
      present(pictureTypeOf(bytes), 'the type of a checked picture'),
      archived?.avatar ?? '',
    );
    const avatar = await this.avatars.keep('project', _id, image, null);
    const event = newEvent(projectChanged, { project_id: _id, full_path: fullPath, change: 'updated' });
    await this.outbox.update(this.projects.model, { _id, avatar: null }, { $set: { avatar } }, event);
  }

  private async addUpload({ wanted, uploads, people }: Filling, id: string, content: AsyncIterable<Buffer>) {
    const about = uploads.get(id);
    if (!about) return;
    const upload = {
      _id: newUploadId(wanted._id, id),
      projectId: wanted._id,
      filename: about.filename.replace(/[\\/\0\r\n"]/g, '_').slice(-200),
      contentType: about.content_type,
      userId: people.get(about.user_id)?.here ?? wanted.userId,
    };
    if (await this.uploads.find(wanted._id, upload._id)) return;
    await this.uploads.add(upload, Readable.from(content, { objectMode: false }));
  }

  /** The current project: it may have been moved or deleted meanwhile. @throws project.not_found */
  private async on({ _id }: Pick<ProjectImportDocument, '_id'>) {
    const project: ProjectDocument = await this.projects.get(_id);
    return { project: projectRefOf(project, Access.Owner) };
  }
}

/** Deterministic for a file and a project, and as hard to guess as the archived id. */
const newUploadId = (projectId: number, id: string): string =>
  createHash('sha256').update(`${projectId}/${id}`).digest('hex').slice(0, 32);

/** Texts refer to the uploads of the project. */
function withUploads(row: unknown, projectId: number): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const replaced = { ...row } as Record<string, unknown>;
  for (const field of ['body', 'description']) {
    const text = replaced[field];
    if (typeof text === 'string')
      replaced[field] = text.replace(
        /\/uploads\/([0-9a-f]{32})\//g,
        (_, id) => `/uploads/${newUploadId(projectId, id)}/`,
      );
  }
  return replaced;
}
