import {
  Access,
  type Caller,
  type ContextOf,
  commonErrors,
  copyLfsObjects,
  createRepository,
  forbidden,
  forkProject,
  invalidRecord,
  isError,
  namedNotFound,
  type ParsedOf,
  type Project,
} from '@moothall/contracts';
import { Counters } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Controller } from '@nestjs/common';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { narrower } from '../namespace/visibility-rules';
import { cleanupDue } from '../project/cleanup-policy';
import { deriveProject } from '../project/derive-project';
import { namesOf } from '../project/new-project';
import { Projects } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { ProjectViews } from '../project/project.view';
import { ProjectNamespaces } from '../project/project-namespaces';
import { projectRefOf } from '../project/project-ref';
import { type Draft, WriteProject } from '../project/write-project';

type Context = ContextOf<typeof forkProject>;
type Input = ParsedOf<typeof forkProject>;

/** Forks a project. The repository of a fork shares the objects of the original, so it is on the same storage. */
@Controller()
export class ForkProject {
  constructor(
    private readonly projects: Projects,
    private readonly projectNamespaces: ProjectNamespaces,
    private readonly writer: WriteProject,
    private readonly counters: Counters,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    private readonly views: ProjectViews,
  ) {}

  @Handles(forkProject)
  async handle(context: Context, input: Input): Promise<Project> {
    const source = await this.projects.get(context.project.id);
    requireForkable(source, context);
    const owner = await this.users.get(context.caller.id);
    const namespace = await this.placeFor(owner, context.caller, input);
    const draft = await this.draft(source, namespace, owner, input);
    const fork = await this.writer
      .write(draft, (claimed) => this.makeRepository(claimed, source, owner, context.requestId))
      .catch((error: unknown) => {
        throw isError(error, commonErrors.invalidRecord) ? commonErrors.conflict(error.value.message) : error;
      });
    return this.views.one(fork, context.caller);
  }

  private async placeFor(owner: UserRecord, caller: Caller, input: Input): Promise<NamespaceDocument> {
    const wanted = input.namespace_id ?? input.namespace_path ?? input.namespace;
    const namespaceId = wanted === undefined ? undefined : await this.projectNamespaces.findId(wanted);
    if (namespaceId === null) throw namedNotFound('Target Namespace');
    return this.projectNamespaces.find(owner, caller, namespaceId);
  }

  private async draft(
    source: ProjectDocument,
    namespace: NamespaceDocument,
    owner: UserRecord,
    input: Input,
  ): Promise<Draft> {
    if (namespace._id === source.namespaceId && !input.path && !input.name) {
      throw commonErrors.conflict(invalidRecord({ path: ['has already been taken'] }).value.message);
    }
    const names = namesOf({
      name: input.name ?? source.name,
      path: input.path ?? (input.name ? undefined : source.path),
    });
    const inGroup = namespace.kind === 'group' ? namespace.visibility : 'public';
    const widest = narrower(source.visibility, inGroup);
    return {
      ...deriveProject(names, namespace),
      _id: await this.counters.next('projects'),
      description: input.description ?? source.description,
      visibility: narrower(input.visibility ?? widest, widest),
      features: source.features,
      settings: source.settings,
      containerExpirationPolicy: source.containerExpirationPolicy,
      ...cleanupDue(source.containerExpirationPolicy),
      topics: source.topics,
      creatorId: owner.id,
      avatar: null,
      storage: source.storage,
      isReadOnly: false,
      isArchived: false,
      defaultBranch: source.defaultBranch,
      isEmptyRepo: source.isEmptyRepo,
      readmePath: source.readmePath,
      importStatus: 'finished',
      importError: null,
      forkedFromId: source._id,
      forksCount: 0,
      starCount: 0,
      uploadBytes: 0,
      lastActivityAt: new Date(),
    };
  }

  private async makeRepository(draft: Draft, source: ProjectDocument, owner: UserRecord, requestId: string) {
    const project = projectRefOf({ ...draft, createdAt: new Date() } as ProjectDocument, Access.Owner);
    const made = await this.client.call(
      createRepository,
      {
        project_id: draft._id,
        default_branch: source.defaultBranch ?? 'main',
        forked_from: { project_id: source._id, storage: source.storage },
        author: { name: owner.name, email: owner.email },
      },
      { project, requestId },
    );
    // Before the fork is visible. If it fails, its LFS objects are removed with its repository.
    await this.client.call(copyLfsObjects, { project_id: draft._id, from_project_id: source._id }, { requestId });
    return { ...draft, defaultBranch: made.default_branch, isEmptyRepo: made.is_empty, readmePath: made.readme_path };
  }
}

/** @throws common.forbidden if the project restricts forking */
function requireForkable({ features }: ProjectDocument, { project }: Context): void {
  const isOpen =
    features.forking === 'enabled' || (features.forking === 'private' && project.accessLevel > Access.None);
  if (!isOpen) throw forbidden();
}
