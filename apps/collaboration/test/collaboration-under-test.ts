import {
  Access,
  type AccessLevel,
  type Caller,
  commonErrors,
  contentErrors,
  descendantGroups,
  findClosedExternalIssues,
  type GroupRef,
  getCommit,
  groupRefs,
  type InputOf,
  listCommits,
  memberLevels,
  type Operation,
  type OperationContext,
  OperationError,
  type OutputOf,
  type ProjectRef,
  projectRefs,
  readableProjects,
  resolveGroup,
  userIdsByUsername,
  userSummaries,
} from '@moothall/contracts';
import {
  callerNamed,
  groupNamed,
  projectNamed,
  type ServiceUnderTest,
  startServiceUnderTest,
  type TestBed,
  uniqueId,
} from '@moothall/testing';
import { service } from '../src';

/** The service with stub users, projects and groups. */
export class CollaborationUnderTest<Bed extends TestBed = ServiceUnderTest> {
  private readonly users = new Map<number, Caller>();
  readonly projects = new Map<number, ProjectRef>();
  readonly groups = new Map<number, GroupRef>();
  /** Descendant groups that are deleted during a request. */
  readonly gone = new Map<number, number[]>();
  /** Commits that every project has. */
  readonly commits = new Map<string, { title: string; parents: string[] }>();
  /** Blocked users. */
  readonly blocked = new Set<number>();
  private readonly levels = new Map<string, AccessLevel>();

  /** @param service the bed in which the stubs answer */
  constructor(readonly service: Bed) {
    this.answerAsOthers();
  }

  static async start(settings: Record<string, string> = {}): Promise<CollaborationUnderTest> {
    return new CollaborationUnderTest(await startServiceUnderTest(service, settings));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  user(over: Partial<Caller> = {}): Caller {
    const id = uniqueId();
    const user = callerNamed(`user${id}`, { id, ...over });
    this.users.set(user.id, user);
    return user;
  }

  project(over: Partial<ProjectRef> = {}): ProjectRef {
    const id = uniqueId();
    const project = projectNamed(`project${id}`, { id, groupIds: [], ...over });
    this.projects.set(id, project);
    return project;
  }

  group(over: Partial<GroupRef> = {}): GroupRef {
    const group = groupNamed(`group${uniqueId()}`, over);
    this.groups.set(group.id, group);
    return group;
  }

  /** Adds a member. */
  join(user: Caller, place: ProjectRef | GroupRef, level: AccessLevel): void {
    this.levels.set(`${user.id}/${place.id}`, level);
  }

  /** The answer of an operation to a user with a level in a project, with the context of the gateway. */
  inProject<T extends Operation>(
    operation: T,
    project: ProjectRef,
    caller: Caller | undefined,
    level: AccessLevel,
    input: Omit<InputOf<T>, 'id'>,
  ): Promise<OutputOf<T>> {
    const context = { requestId: 'test', caller, project: { ...project, accessLevel: level } };
    return this.call(operation, { id: String(project.id), ...input } as unknown as InputOf<T>, context);
  }

  inGroup<T extends Operation>(
    operation: T,
    group: GroupRef,
    caller: Caller | undefined,
    level: AccessLevel,
    input: Omit<InputOf<T>, 'id'>,
  ): Promise<OutputOf<T>> {
    const context = { requestId: 'test', caller, group: { ...group, accessLevel: level } };
    return this.call(operation, { id: String(group.id), ...input } as unknown as InputOf<T>, context);
  }

  call<T extends Operation>(operation: T, input: InputOf<T>, context: OperationContext): Promise<OutputOf<T>> {
    return this.service.client.call(operation, input, context);
  }

  private answerAsOthers(): void {
    const { respond } = this.service;
    respond(userSummaries, ({ ids }) =>
      ids.flatMap((id) => summaryOf(this.users.get(id), this.blocked.has(id) ? 'blocked' : 'active')),
    );
    respond(userIdsByUsername, ({ usernames }) =>
      [...this.users.values()].filter(({ username }) => usernames.includes(username)),
    );
    respond(listCommits, ({ ref_name: sha = '' }) => {
      const found = this.commits.get(sha);
      return found ? { items: [commitOf(sha, found)] } : contentErrors.commitNotFound();
    });
    respond(getCommit, ({ id, sha }) => {
      const found = this.commits.get(sha);
      if (!found) return contentErrors.commitNotFound();
      return { ...commitOf(sha, found), status: null, last_pipeline: null, project_id: Number(id) };
    });
    respond(projectRefs, ({ ids }) => ids.flatMap((id) => this.projects.get(id) ?? []));
    respond(groupRefs, ({ ids, user_id }) => {
      if (ids.length > 1000) return commonErrors.badRequest();
      return ids.flatMap((id) => {
        const group = this.groups.get(id);
        return group ? { ...group, accessLevel: this.levelOf(user_id, id) } : [];
      });
    });
    respond(descendantGroups, ({ group_id }) => [
      group_id,
      ...(this.gone.get(group_id) ?? []),
      ...[...this.groups.values()].filter((one) => one.ancestorIds.includes(group_id)).map(({ id }) => id),
    ]);
    respond(resolveGroup, ({ group, user_id }) => {
      const found = this.groups.get(Number(group)) ?? [...this.groups.values()].find((one) => one.fullPath === group);
      if (!found) return new OperationError({ code: 'group.not_found' });
      return { group: { ...found, accessLevel: this.levelOf(user_id, found.id) }, redirected: false };
    });
    respond(memberLevels, ({ project_id, group_id, user_ids = [...this.users.keys()] }) =>
      user_ids
        .map((user_id) => ({ user_id, access_level: this.levelOf(user_id, project_id ?? group_id!) }))
        .filter(({ access_level }) => access_level > 0),
    );
    respond(readableProjects, (input) => this.readable(input));
    respond(findClosedExternalIssues, ({ texts }) =>
      texts
        .flatMap((text) => text.match(/TRACK-\d+/g) ?? [])
        .map((id) => ({
          ...{ id, title: `External Issue ${id}` },
          web_url: `https://track.example.com/${id}`,
        })),
    );
  }

  private readable({ user_id, is_admin, group_id, include_archived, after_id }: InputOf<typeof readableProjects>) {
    return [...this.projects.values()]
      .filter(({ id }) => id > (after_id ?? 0))
      .filter(({ groupIds }) => group_id === undefined || groupIds.includes(group_id))
      .filter(({ isArchived }) => include_archived !== false || !isArchived)
      .map((project) => ({ ...project, accessLevel: is_admin ? Access.Owner : this.levelOf(user_id, project.id) }))
      .filter(({ visibility, accessLevel }) => visibility === 'public' || accessLevel > 0)
      .map(({ id, visibility, accessLevel, abilities, features }) => ({
        id,
        visibility,
        accessLevel,
        abilities,
        features,
      }));
  }

  levelOf(userId: number | null, placeId: number): AccessLevel {
    return this.levels.get(`${userId}/${placeId}`) ?? Access.None;
  }
}

function summaryOf(user: Caller | undefined, state = 'active') {
  if (!user) return [];
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state,
    avatar_url: null,
    web_url: `http://moothall.test/${user.username}`,
    created_at: '2020-10-15T08:12:01.123Z',
    email: user.email,
    public_email: null,
    is_admin: user.isAdmin,
    is_external: user.isExternal,
    can_create_group: true,
    projects_limit: 100,
  };
}

function commitOf(id: string, { title, parents }: { title: string; parents: string[] }) {
  const [name, email, at] = ['Ann', 'ann@example.com', '2026-01-02T03:04:05.000+01:00'];
  return {
    ...{ id, short_id: id.slice(0, 8), created_at: at, parent_ids: parents, title, message: title },
    ...{ author_name: name, author_email: email, authored_date: at },
    ...{ committer_name: name, committer_email: email, committed_date: at, web_url: '' },
  };
}
