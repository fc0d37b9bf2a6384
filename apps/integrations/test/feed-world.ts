import {
  Access,
  type AccessLevel,
  type Caller,
  type InputOf,
  type Operation,
  type OutputOf,
  type ProjectRef,
  projectRefs,
  readableProjects,
  showRecords,
  userIdsByUsername,
  userSummaries,
} from '@moothall/contracts';
import { callerNamed, projectNamed, type ServiceUnderTest, startServiceUnderTest, uniqueId } from '@moothall/testing';
import { service } from '../src';

type Shown = OutputOf<typeof showRecords>;

/** The service with stub users, projects, issues and comments. */
export class FeedWorld {
  private readonly users = new Map<number, Caller>();
  private readonly projects = new Map<number, ProjectRef>();
  private readonly levels = new Map<string, AccessLevel>();
  private readonly records = new Map<string, { record: { id: number }; hiddenFrom: Set<number> }>();
  readonly blocked = new Set<number>();

  private constructor(readonly service: ServiceUnderTest) {
    this.answerAsOthers();
  }

  static async start(): Promise<FeedWorld> {
    return new FeedWorld(await startServiceUnderTest(service));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  user(over: Partial<Caller> = {}): Caller {
    const user = callerNamed(`user${uniqueId()}`, over);
    this.users.set(user.id, user);
    return user;
  }

  project(over: Partial<ProjectRef> = {}): ProjectRef {
    const project = projectNamed(`project${uniqueId()}`, { accessLevel: Access.None, ...over });
    this.projects.set(project.id, project);
    return project;
  }

  /** Replaces the stored project. */
  replace(project: ProjectRef): void {
    this.projects.set(project.id, project);
  }

  join(user: Caller, project: ProjectRef, level: AccessLevel): void {
    this.levels.set(`${user.id}/${project.id}`, level);
  }

  /** Sets the records of collaboration, hidden from some users. */
  show(kind: keyof Shown, record: { id: number }, ...hiddenFrom: Caller[]): void {
    this.records.set(`${kind}/${record.id}`, { record, hiddenFrom: new Set(hiddenFrom.map(({ id }) => id)) });
  }

  forget(kind: keyof Shown, id: number): void {
    this.records.delete(`${kind}/${id}`);
  }

  ask<T extends Operation>(operation: T, caller: Caller | undefined, input: InputOf<T>): Promise<OutputOf<T>> {
    return this.service.client.call(operation, input, { requestId: 'test', caller } as never);
  }

  inProject<T extends Operation>(
    operation: T,
    project: ProjectRef,
    caller: Caller | undefined,
    input: Omit<InputOf<T>, 'id'> = {} as never,
  ): Promise<OutputOf<T>> {
    const context = { requestId: 'test', caller, project: this.seenBy(caller, project) };
    return this.service.client.call(operation, { id: String(project.id), ...input } as never, context as never);
  }

  private seenBy(caller: Pick<Caller, 'id' | 'isAdmin'> | undefined, project: ProjectRef): ProjectRef {
    const level = caller?.isAdmin ? Access.Owner : this.levels.get(`${caller?.id}/${project.id}`);
    return { ...project, accessLevel: level ?? Access.None };
  }

  private answerAsOthers(): void {
    const { respond } = this.service;
    respond(userSummaries, ({ ids }) => ids.flatMap((id) => this.summaryOf(id)));
    respond(userIdsByUsername, ({ usernames }) =>
      [...this.users.values()].filter(({ username }) => usernames.includes(username)),
    );
    const principal = (user_id: number | null, is_admin = false) =>
      user_id === null ? undefined : { id: user_id, isAdmin: is_admin };
    respond(projectRefs, ({ ids, user_id, is_admin }) =>
      ids.flatMap((id) => {
        const project = this.projects.get(id);
        return project ? this.seenBy(principal(user_id, is_admin), project) : [];
      }),
    );
    respond(readableProjects, ({ user_id, is_admin }) =>
      [...this.projects.values()].map((project) => this.seenBy(principal(user_id, is_admin), project)),
    );
    respond(showRecords, ({ issue_ids = [], merge_request_ids = [], note_ids = [] }, { caller }) => {
      const pick = (kind: keyof Shown, ids: number[]) =>
        ids.flatMap((id) => {
          const found = this.records.get(`${kind}/${id}`);
          return found && !found.hiddenFrom.has(caller?.id ?? 0) ? found.record : [];
        });
      return {
        issues: pick('issues', issue_ids),
        merge_requests: pick('merge_requests', merge_request_ids),
        notes: pick('notes', note_ids),
      } as never;
    });
  }

  private summaryOf(id: number) {
    const user = this.users.get(id);
    if (!user) return [];
    return {
      ...{ id, username: user.username, name: user.name, avatar_url: null, public_email: null, email: user.email },
      state: this.blocked.has(id) ? 'blocked' : 'active',
      web_url: `http://moothall.test/${user.username}`,
      created_at: '2020-10-15T08:12:01.123Z',
      ...{ is_admin: user.isAdmin, is_external: user.isExternal, can_create_group: true, projects_limit: 100 },
    };
  }
}
