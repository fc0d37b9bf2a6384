import {
  archiveLimit,
  type Caller,
  type ContextOf,
  commonErrors,
  defaultGroupSettings,
  getGroupImport,
  importGroup,
  onlyGiven,
  type ParsedOf,
} from '@moothall/contracts';
import { type Upload, UploadedFiles } from '@moothall/data-port';
import { Outbox } from '@moothall/database';
import { Jobs } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { ObjectStorage } from '@moothall/object-storage';
import { Controller } from '@nestjs/common';
import { EndGroup } from '../../group/end-group';
import { GroupParents } from '../../group/group-parents';
import { requireValidGroup } from '../../group/group-rules';
import { WriteGroup } from '../../group/write-group';
import { InstanceSettings } from '../../instance/application-settings/instance-settings';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { narrower } from '../../namespace/visibility-rules';
import { GroupArchiveChecks } from '../format/archive-checks';
import type { GroupImportDocument } from './group-import.schema';
import { archiveKeyOf, GroupImports } from './group-imports';
import { groupImportJobs, jobIdOf } from './run-group-import';

type Input = ParsedOf<typeof importGroup>;

/** Accepts an archive, validates all of it, and only then creates the group that a job fills. */
@Controller()
export class ImportGroup {
  constructor(
    private readonly imports: GroupImports,
    private readonly instance: InstanceSettings,
    private readonly parents: GroupParents,
    private readonly writer: WriteGroup,
    private readonly groups: EndGroup,
    private readonly storage: ObjectStorage,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly files: UploadedFiles,
    private readonly checks: GroupArchiveChecks,
  ) {}

  @Handles(importGroup)
  async start({ caller }: ContextOf<typeof importGroup>, input: Input) {
    const parent = await this.parents.find(caller, input.parent_id);
    requireValidGroup(input, parent === null);
    const archive = this.files.open(input.file, await this.instance.limit(archiveLimit));
    return this.imports.whilePreparing(async (import_id) => {
      const wanted = await this.imports.add(import_id, caller.id, caller.isAdmin);
      const group = await this.prepare(wanted, input, parent, archive).catch(async (error: unknown) => {
        const made = await this.imports.made(import_id, 1);
        if (made) await this.groups.end(made);
        await this.imports.forget(wanted);
        throw error;
      });
      const job = { import_id, user_id: caller.id };
      await this.outbox.promptly(this.jobs.add(groupImportJobs, job, { id: jobIdOf(import_id) }));
      return { message: '202 Accepted', group_id: group._id, import_id };
    });
  }

  /** Stores and validates the archive, then creates its first group. */
  private async prepare(
    wanted: GroupImportDocument,
    { name, path }: Input,
    parent: NamespaceDocument | null,
    archive: Upload,
  ) {
    const { _id, userId: creatorId } = wanted;
    await this.storage.write(archiveKeyOf(_id), archive);
    const { stream } = await this.storage.read(archiveKeyOf(_id));
    const { top, rows } = await this.checks.check(stream, String(creatorId));
    await this.imports.set(_id, { rowsTotal: rows });
    const group = await this.writer.write({
      _id: await this.imports.idFor(wanted, 1),
      name,
      path,
      parent,
      description: top.description,
      visibility: parent ? narrower(top.visibility, parent.visibility) : 'private',
      settings: { ...defaultGroupSettings, ...onlyGiven(top.settings) },
      creatorId,
      importedAs: { importId: _id, number: 1 },
    });
    if (await this.imports.queue(_id, group._id)) return group;
    throw commonErrors.unavailable();
  }

  @Handles(getGroupImport)
  async get({ caller }: ContextOf<typeof getGroupImport>, { import_id }: ParsedOf<typeof getGroupImport>) {
    const found = await this.imports.find(import_id);
    if (!found || found.groupId === null || !isOwn(found, caller)) throw commonErrors.notFound();
    return {
      id: found._id,
      group_id: found.groupId,
      import_status: found.status === 'preparing' ? ('queued' as const) : found.status,
      rows_done: found.rowsDone,
      rows_total: found.rowsTotal,
      error: found.error,
    };
  }
}

const isOwn = ({ userId }: GroupImportDocument, caller: Caller): boolean => caller.isAdmin || userId === caller.id;
