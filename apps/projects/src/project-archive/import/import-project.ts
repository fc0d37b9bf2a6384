import {
  Access,
  type Caller,
  type ContextOf,
  createRepository,
  defaultProjectSettings,
  firstProblem,
  forbidden,
  getProjectImport,
  ImportOverrides,
  importProject,
  importRemoteProject,
  invalidRecord,
  onlyGiven,
  type ParsedOf,
  projectArchiveLimit,
  projectErrors,
  projectExportErrors,
} from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { Counters, Outbox } from '@moothall/database';
import { Jobs } from '@moothall/jobs';
import { Handles, OperationClient } from '@moothall/messaging';
import { ObjectStorage } from '@moothall/object-storage';
import { SecretBox } from '@moothall/secrets';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { Grants, principalOf } from '../../access/grants';
import { RemoteArchives } from '../../archive/remote-archives';
import { InstanceSettings } from '../../instance/application-settings/instance-settings';
import { groupKey } from '../../member/source';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { requireUnrestricted, requireVisibilityWithin } from '../../namespace/visibility-rules';
import { deriveProject } from '../../project/derive-project';
import { defaultFeatures } from '../../project/features';
import { defaultExpirationPolicy, namesOf } from '../../project/new-project';
import { Projects } from '../../project/project.repository';
import type { ProjectDocument } from '../../project/project.schema';
import { ProjectNamespaces } from '../../project/project-namespaces';
import { projectRefOf } from '../../project/project-ref';
import { type Draft, pathTaken, WriteProject } from '../../project/write-project';
import { ProjectArchiveChecks } from '../format/archive-checks';
import { viewNamed } from '../format/named.view';
import { archiveKeyOf, ProjectImports } from './project-imports';
import { jobIdOf, projectImportJobs } from './run-project-import';

type Input = Omit<ParsedOf<typeof importProject>, 'file'>;

/** The place of an imported project. */
interface Target {
  owner: UserRecord;
  namespace: NamespaceDocument;
  names: { name: string; path: string };
  accessLevel: number;
  overrides: ReturnType<typeof overridesOf>;
  replaced: ProjectDocument | null;
}

/** Accepts an archive and creates the project that a job fills. See docs/api/projects.md#10. */
@Controller()
export class ImportProject {
  constructor(
    private readonly imports: ProjectImports,
    private readonly projects: Projects,
    private readonly projectNamespaces: ProjectNamespaces,
    private readonly grants: Grants,
    private readonly writer: WriteProject,
    private readonly counters: Counters,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly instance: InstanceSettings,
    private readonly storage: ObjectStorage,
    private readonly files: UploadedFiles,
    private readonly checks: ProjectArchiveChecks,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly remote: RemoteArchives,
    private readonly secrets: SecretBox,
  ) {}

  @Handles(importProject)
  async start({ caller, requestId }: ContextOf<typeof importProject>, input: ParsedOf<typeof importProject>) {
    const target = await this.place(caller, input);
    const archive = this.files.open(input.file, await this.instance.limit(projectArchiveLimit));
    return this.begin(caller, target, requestId, null, async (_id) => {
      await this.storage.write(archiveKeyOf(_id), archive);
      await this.requireSound(_id, caller, target);
    });
  }

  @Handles(importRemoteProject)
  async startRemote(
    { caller, requestId }: ContextOf<typeof importRemoteProject>,
    input: ParsedOf<typeof importRemoteProject>,
  ) {
    const target = await this.place(caller, { ...input, overwrite: false });
    if (!(await this.remote.mayReach(input.url))) throw projectExportErrors.downloadRefused();
    return this.begin(caller, target, requestId, this.secrets.seal(input.url), async () => undefined);
  }

  /** @param prepare runs before the project is created */
  private async begin(
    caller: Caller,
    target: Target,
    requestId: string,
    sealedUrl: string | null,
    prepare: (id: number) => Promise<void>,
  ) {
    const _id = await this.counters.next('projects');
    const { accessLevel, overrides, replaced, names } = target;
    const replaces = replaced && { projectId: replaced._id, path: names.path };
    const { id: userId, isAdmin } = caller;
    await this.imports.add({ _id, userId, isAdmin, accessLevel, overrides, sealedUrl, replaces });
    const made = prepare(_id).then(() => this.make(_id, target, requestId));
    const project = await made.catch(async (error: unknown) => {
      await this.imports.forget(_id);
      throw error;
    });
    await this.imports.set(_id, { status: 'queued' });
    const job = { project_id: _id, user_id: caller.id };
    await this.outbox.promptly(this.jobs.add(projectImportJobs, job, { id: jobIdOf(_id) }));
    return viewImport(project, Access.Owner);
  }

  /** @throws project.namespace_not_valid, project.limit_reached, common.invalid_record, common.forbidden */
  private async place(caller: Caller, input: Input): Promise<Target> {
    const overrides = overridesOf(input.override_params);
    const owner = await this.users.get(caller.id);
    const wanted = input.namespace === undefined ? undefined : await this.projectNamespaces.findId(input.namespace);
    if (wanted === null) throw projectErrors.namespaceNotValid();
    const namespace = await this.projectNamespaces.find(owner, caller, wanted);
    const names = namesOf(input);
    if (overrides.visibility) {
      requireVisibilityWithin(overrides.visibility, namespace);
      const { restricted_visibility_levels } = await this.instance.read();
      requireUnrestricted(overrides.visibility, restricted_visibility_levels, caller.isAdmin);
    }
    const replaced = await this.findReplaced(caller, `${namespace.fullPath}/${names.path}`, input.overwrite);
    if (!replaced) await this.projectNamespaces.requireBelowLimit(owner);
    const accessLevel = await this.levelIn(namespace, caller);
    return { owner, namespace, names, accessLevel, overrides, replaced };
  }

  /** @throws common.invalid_record for a taken path, common.forbidden if the caller may not replace its project */
  private async findReplaced(caller: Caller, fullPath: string, overwrites: boolean): Promise<ProjectDocument | null> {
    const found = await this.projects.model.findOne({ pathKey: fullPath.toLowerCase() }).lean<ProjectDocument>();
    if (!found) return null;
    if (!overwrites) throw pathTaken();
    const sources = found.groupIds.map(groupKey);
    const grants = await this.grants.findLevelsWithin(principalOf(caller), sources);
    if (grants.levelInProject(found) < Access.Owner) throw forbidden();
    return found;
  }

  private async levelIn(namespace: NamespaceDocument, caller: Caller): Promise<number> {
    if (namespace.kind === 'user') return Access.Owner;
    const sources = [namespace._id, ...namespace.ancestorIds].map(groupKey);
    return (await this.grants.findLevelsWithin(principalOf(caller), sources)).levelInGroup(namespace);
  }

  /** A project is replaced only by a valid archive. @throws project_export.archive_refused */
  private async requireSound(id: number, caller: Caller, { replaced }: Target): Promise<void> {
    if (!replaced) return;
    const { stream } = await this.storage.read(archiveKeyOf(id));
    await this.checks.check(stream, String(caller.id));
  }

  private async make(_id: number, { owner, namespace, names, overrides, replaced }: Target, requestId: string) {
    const { default_branch_name } = await this.instance.read();
    const draft: Draft = {
      ...deriveProject(replaced ? besideOf(names, _id) : names, namespace),
      _id,
      description: overrides.description || null,
      // Hidden until it is complete; then the archive's visibility applies.
      visibility: 'private',
      features: defaultFeatures,
      settings: defaultProjectSettings,
      containerExpirationPolicy: defaultExpirationPolicy,
      topics: [],
      creatorId: owner.id,
      avatar: null,
      storage: 'default',
      isReadOnly: false,
      isArchived: false,
      defaultBranch: null,
      isEmptyRepo: true,
      readmePath: null,
      importStatus: 'scheduled',
      importError: null,
      forksCount: 0,
      starCount: 0,
      uploadBytes: 0,
      lastActivityAt: new Date(),
    };
    return this.writer.write(draft, async (claimed) => {
      const project = projectRefOf({ ...claimed, createdAt: new Date() } as ProjectDocument, Access.Owner);
      const author = { name: owner.name, email: owner.email };
      const input = { project_id: _id, default_branch: default_branch_name, author };
      await this.client.call(createRepository, input, { project, requestId });
      return claimed;
    });
  }

  @Handles(getProjectImport)
  async get({ project }: ContextOf<typeof getProjectImport>, _: ParsedOf<typeof getProjectImport>) {
    return viewImport(await this.projects.get(project.id), project.accessLevel);
  }
}

/** The temporary place of a project until it replaces another one. */
const besideOf = ({ name, path }: Target['names'], id: number) => ({
  name,
  path: `${path.slice(0, 200)}-import-${id}`,
});

/** @throws common.invalid_record */
function overridesOf(params: Record<string, string> = {}) {
  const parsed = ImportOverrides.safeParse(params);
  if (parsed.success) return onlyGiven(parsed.data);
  throw invalidRecord({ override_params: [firstProblem(parsed.error)] });
}

const viewImport = (project: ProjectDocument, level: ProjectLevel) => ({
  ...viewNamed(projectRefOf(project, level)),
  import_status: project.importStatus,
  import_type: project.importStatus === 'none' ? null : 'moothall_project',
  correlation_id: null,
  failed_relations: (project.importGaps ?? []).map(({ relation, message }) => ({
    relation_name: relation,
    exception_message: message,
  })),
  import_error: project.importError,
  stats: null,
});
type ProjectLevel = Parameters<typeof projectRefOf>[1];
