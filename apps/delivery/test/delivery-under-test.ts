import path from 'node:path';
import {
  Access,
  type AccessLevel,
  type Caller,
  createRelease,
  createTag,
  expectLfsLocks,
  type InputOf,
  type Milestone,
  namedMilestones,
  type OutputOf,
  type ProjectRef,
  projectErrors,
  projectRefs,
  protectionErrors,
  readableProjects,
  resolveProject,
  tagFacts,
  uploadGenericPackage,
  userSummaries,
} from '@moothall/contracts';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import {
  callerNamed,
  contextOf,
  prepareReplicas,
  projectNamed,
  startServiceUnderTest,
  type TestBed,
  UploadStore,
  uniqueId,
} from '@moothall/testing';
import { service } from '../src';

const sha = 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7';

const commit: NonNullable<OutputOf<typeof tagFacts>[number]['commit']> = {
  id: sha,
  short_id: sha.slice(0, 8),
  created_at: '2020-10-15T08:12:01.000+00:00',
  parent_ids: [],
  title: 'first',
  message: 'first\n',
  author_name: 'Ada',
  author_email: 'ada@example.com',
  authored_date: '2020-10-15T08:12:01.000+00:00',
  committer_name: 'Ada',
  committer_email: 'ada@example.com',
  committed_date: '2020-10-15T08:12:01.000+00:00',
  web_url: `http://moothall.test/group/app/-/commit/${sha}`,
};

/** Stub services for the delivery service, and calls to it. */
export class DeliveryBed {
  private readonly projects = new Map<number, ProjectRef>();
  private readonly tags = new Set<string>();
  private readonly milestones: (Milestone & { projectId: number })[] = [];
  /** Names of tags that only maintainers may create. */
  readonly protectedTags = new Set<string>();
  /** Time of the first request for tags of a project. */
  readonly tagsAskedAt = new Map<number, Date>();

  constructor(
    readonly under: TestBed,
    private readonly uploads: UploadStore,
  ) {
    under.respond(resolveProject, ({ project }) => {
      const found = this.projects.get(Number(project));
      return found ? { project: found, redirected: false } : projectErrors.notFound();
    });
    under.respond(expectLfsLocks, () => undefined);
    under.respond(userSummaries, ({ ids }) =>
      ids.map((id) => ({
        id,
        username: `user-${id}`,
        name: `User ${id}`,
        state: 'active' as const,
        avatar_url: null,
        web_url: `http://moothall.test/user-${id}`,
        created_at: '2020-10-15T08:12:01.123Z',
        email: `user-${id}@example.com`,
        public_email: null,
        is_admin: false,
        is_external: false,
        can_create_group: true,
        projects_limit: 10,
      })),
    );
    under.respond(tagFacts, ({ names }, { project }) => {
      if (!this.tagsAskedAt.has(project!.id)) this.tagsAskedAt.set(project!.id, new Date());
      return names
        .filter((name) => this.tags.has(`${project!.id} ${name}`))
        .map((name) => ({ name, commit, may_create: this.mayMake(name, project!) }));
    });
    under.respond(createTag, ({ tag_name, message }, { project }) => {
      if (!this.mayMake(tag_name, project!)) return protectionErrors.tagRefused();
      this.addTag(project!, tag_name);
      return { name: tag_name, message: message ?? null, target: sha, commit, release: null, protected: false };
    });
    under.respond(namedMilestones, ({ titles = [], ids = [] }, { project }) =>
      this.milestones.filter(
        ({ id, title, projectId }) => projectId === project!.id && (titles.includes(title) || ids.includes(id)),
      ),
    );
    under.respond(projectRefs, ({ ids }) => [...this.projects.values()].filter(({ id }) => ids.includes(id)));
    under.respond(
      readableProjects,
      ({ group_id }) =>
        [...this.projects.values()].filter(({ groupIds }) => groupIds.includes(group_id ?? 0)) as OutputOf<
          typeof readableProjects
        >,
    );
  }

  get call(): TestBed['client']['call'] {
    return this.under.client.call.bind(this.under.client);
  }

  project(over: Partial<ProjectRef> = {}): ProjectRef {
    const id = uniqueId();
    const project = projectNamed(`app-${id}`, { id, ...over });
    this.projects.set(id, project);
    return project;
  }

  as(project: ProjectRef, accessLevel: AccessLevel = Access.Developer, caller: Caller = callerNamed('ada')) {
    return contextOf({ caller, project: { ...project, accessLevel } });
  }

  addTag({ id }: ProjectRef, name: string): void {
    this.tags.add(`${id} ${name}`);
  }

  removeTag({ id }: ProjectRef, name: string): void {
    this.tags.delete(`${id} ${name}`);
  }

  hasTag({ id }: ProjectRef, name: string): boolean {
    return this.tags.has(`${id} ${name}`);
  }

  milestone(project: ProjectRef, title: string, description: string | null = null): Milestone {
    const id = uniqueId();
    const day = '2020-10-15T08:12:01.123Z';
    const milestone: Milestone = {
      id,
      iid: id,
      project_id: project.id,
      title,
      description,
      state: 'active',
      created_at: day,
      updated_at: day,
      due_date: null,
      start_date: null,
      expired: false,
      web_url: 'http://moothall.test/milestone',
    };
    this.milestones.push({ ...milestone, projectId: project.id });
    return milestone;
  }

  release(project: ProjectRef, tag_name: string, given: Partial<InputOf<typeof createRelease>> = {}) {
    return this.call(createRelease, { id: String(project.id), tag_name, ref: 'main', ...given }, this.as(project));
  }

  removeProject({ id }: ProjectRef): void {
    this.projects.delete(id);
  }

  /** An upload in progress. */
  send(content: string | Buffer) {
    return this.uploads.add(Buffer.from(content), 'file');
  }

  /** @param claims wrong metadata of the file */
  upload(
    project: ProjectRef,
    content: string,
    given: object = {},
    claims: object = {},
    accessLevel: AccessLevel = Access.Developer,
    caller?: Caller,
  ) {
    const file = this.uploads.add(Buffer.from(content), 'file', claims);
    const named = { package_name: 'app', package_version: '1.0', file_name: 'app.zip' };
    return this.call(
      uploadGenericPackage,
      { id: String(project.id), ...named, ...given, file },
      this.as(project, accessLevel, caller),
    );
  }

  private mayMake(name: string, { accessLevel }: ProjectRef): boolean {
    return !this.protectedTags.has(name) || accessLevel >= Access.Maintainer;
  }
}

export async function startDeliveryService(settings: Record<string, string> = {}) {
  const folder = temporaryFolder('delivery');
  const uploads = await UploadStore.start();
  const under = await startServiceUnderTest(service, { OBJECT_STORAGE_DIR: folder, ...settings });
  const stop = async () => {
    await under.stop();
    await uploads.stop();
    await removeTemporaryFolder(folder);
  };
  return { bed: new DeliveryBed(under, uploads), under, folder, stop };
}

/** For separate processes, which can be killed. */
export async function prepareDeliveryReplicas() {
  const folder = temporaryFolder('delivery');
  const uploads = await UploadStore.start();
  const replicas = await prepareReplicas(path.resolve(__dirname, '..'), { OBJECT_STORAGE_DIR: folder });
  const stop = async () => {
    await replicas.stop();
    await uploads.stop();
    await removeTemporaryFolder(folder);
  };
  return { bed: new DeliveryBed(replicas, uploads), replicas, folder, stop };
}
