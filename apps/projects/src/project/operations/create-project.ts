import {
  Access,
  type Caller,
  type ContextOf,
  createProject,
  createProjectForUser,
  createRepository,
  forbidden,
  invalidRecord,
  listStorages,
  type ParsedOf,
  type Project,
} from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { Avatars } from '../../image/avatars';
import { InstanceSettings } from '../../instance/application-settings/instance-settings';
import { requireUnrestricted } from '../../namespace/visibility-rules';
import { deriveProject } from '../derive-project';
import { attributesOf, type CreateInput, namesOf, requireAdminForStorage, requireImportable } from '../new-project';
import type { ProjectDocument } from '../project.schema';
import { ProjectViews } from '../project.view';
import { ProjectNamespaces } from '../project-namespaces';
import { projectRefOf } from '../project-ref';
import { type Draft, WriteProject } from '../write-project';

/** Creates projects with their repositories. */
@Controller()
export class CreateProject {
  constructor(
    private readonly projectNamespaces: ProjectNamespaces,
    private readonly writer: WriteProject,
    private readonly counters: Counters,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly avatars: Avatars,
    private readonly instance: InstanceSettings,
    private readonly views: ProjectViews,
  ) {}

  @Handles(createProject)
  async forSelf(
    { caller, requestId }: ContextOf<typeof createProject>,
    input: ParsedOf<typeof createProject>,
  ): Promise<Project> {
    return this.create(await this.users.get(caller.id), caller, input, requestId);
  }

  @Handles(createProjectForUser)
  async forUser(
    { caller, requestId }: ContextOf<typeof createProjectForUser>,
    input: ParsedOf<typeof createProjectForUser>,
  ): Promise<Project> {
    return this.create(await this.users.get(input.user_id), caller, input, requestId);
  }

  /** @throws 400 repository_storage is not included in the list */
  private async requireStorage(wanted: string | undefined): Promise<void> {
    if (wanted === undefined) return;
    const { names } = await this.client.call(listStorages, {});
    if (!names.includes(wanted)) throw invalidRecord({ repository_storage: ['is not included in the list'] });
  }

  private async create(owner: UserRecord, caller: Caller, input: CreateInput, requestId: string): Promise<Project> {
    requireImportable(input.import_url);
    requireAdminForStorage(input.repository_storage, caller.isAdmin);
    await this.requireStorage(input.repository_storage);
    const names = namesOf(input);
    const namespace = await this.projectNamespaces.find(owner, caller, input.namespace_id);
    const instance = await this.instance.read();
    if (input.import_url && !instance.import_sources.includes('git')) throw forbidden();
    const attributes = attributesOf(input, namespace, instance.default_project_visibility);
    requireUnrestricted(attributes.visibility, instance.restricted_visibility_levels, caller.isAdmin);
    await this.projectNamespaces.requireBelowLimit(owner);
    const _id = await this.counters.next('projects');
    const draft: Draft = {
      ...attributes,
      ...deriveProject(names, namespace),
      _id,
      creatorId: owner.id,
      avatar: (await this.avatars.take('project', _id, input.avatar)) ?? null,
      storage: input.repository_storage ?? 'default',
      isReadOnly: false,
      isArchived: false,
      defaultBranch: input.default_branch || null,
      isEmptyRepo: true,
      readmePath: null,
      importStatus: input.import_url ? 'started' : 'none',
      importError: null,
      forksCount: 0,
      starCount: 0,
      uploadBytes: 0,
      lastActivityAt: new Date(),
    };
    const writing = this.writer.write(draft, (claimed) => {
      const branch = input.default_branch || instance.default_branch_name;
      return this.makeRepository(claimed, { ...input, default_branch: branch }, owner, requestId);
    });
    const project = await writing.catch(async (error: unknown) => {
      await this.avatars.forget('project', _id);
      throw error;
    });
    return this.views.one(project, caller);
  }

  private async makeRepository(
    draft: Draft,
    input: CreateInput & { default_branch: string },
    owner: UserRecord,
    requestId: string,
  ): Promise<Draft> {
    const project = projectRefOf({ ...draft, createdAt: new Date() } as ProjectDocument, Access.Owner);
    const made = await this.client.call(
      createRepository,
      {
        project_id: draft._id,
        default_branch: input.default_branch,
        ...(input.initialize_with_readme && { readme: { title: draft.name, text: input.description ?? '' } }),
        ...(input.import_url && { import_url: input.import_url }),
        author: { name: owner.name, email: owner.email },
      },
      { project, requestId },
    );
    return {
      ...draft,
      defaultBranch: made.default_branch ?? draft.defaultBranch,
      isEmptyRepo: made.is_empty,
      readmePath: made.readme_path,
    };
  }
}
