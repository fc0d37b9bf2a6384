import {
  Access,
  branchTips,
  type Caller,
  ciChangedPaths,
  ciRefAccess,
  ciSource,
  ciTreePaths,
  commonErrors,
  contentErrors,
  type GroupRef,
  getCommit,
  groupRefs,
  type InputOf,
  listCommitRefs,
  memberLevels,
  mergeRequestsOfCommits,
  OperationError,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
  projectErrors,
  projectRefs,
  resolveProject,
  signJobIdToken,
  userIdsByUsername,
  userSummaries,
} from '@moothall/contracts';
import { callerNamed, contextOf, groupNamed, projectNamed, type StubServices } from '@moothall/testing';

type Asked = Pick<ParsedOf<typeof ciSource>, 'ref' | 'ref_type' | 'sha' | 'path' | 'merge_request_iid'>;
type Source = OutputOf<typeof ciSource>;
type Summary = OutputOf<typeof userSummaries>[number];
type Level = ProjectRef['accessLevel'];

export const plainFile = 'build:\n  script: make\n';

/** By its whole id; ids that begin with zeros do not exist. */
const commitOf = (id: string): OutputOf<typeof getCommit> | undefined => {
  if (!/^[1-9a-f][0-9a-f]{39}$/.test(id)) return undefined;
  const at = '2020-10-15T10:12:01.000+02:00';
  return {
    id,
    short_id: id.slice(0, 8),
    title: 'Add all',
    message: 'Add all',
    parent_ids: [],
    created_at: at,
    author_name: 'Ada',
    author_email: 'ada@example.com',
    authored_date: at,
    committer_name: 'Ada',
    committer_email: 'ada@example.com',
    committed_date: at,
    web_url: '',
    status: null,
    last_pipeline: null,
    project_id: 1,
  };
};

/** Users, projects and repositories from stub services. */
export class CiStubServices {
  private readonly users = new Map<number, { caller: Caller; state: string }>();
  private readonly projects = new Map<number, ProjectRef>();
  private readonly levels = new Map<string, Level>();
  private readonly files = new Map<number, string | null>();
  private readonly others = new Map<string, string>();
  private readonly changed = new Map<number, string[]>();
  private readonly messages = new Map<number, string>();
  private readonly tips = new Map<number, string>();
  private readonly protectedRefs = new Set<string>();
  private readonly openToJobs = new Set<string>();
  private readonly groups = new Map<number, { group: GroupRef; userIds: number[] }>();
  /** Revisions for which changes were requested, and whether from the merge base. */
  readonly compared: [string, boolean][] = [];
  /** Ranges of commits for which merge requests were requested. */
  readonly ranges: InputOf<typeof mergeRequestsOfCommits>[] = [];
  /** While false, the repository service does not answer. */
  isRepositoryThere = true;
  /** Number of calls to the repository service. */
  asked = 0;

  /** @param respond of a service under test, or of StubServices on any connection */
  constructor(respond: StubServices['respond']) {
    respond(userSummaries, ({ ids }) => ids.flatMap((id) => this.summaryOf(id) ?? []));
    respond(userIdsByUsername, ({ usernames }) =>
      [...this.users.values()].map(({ caller }) => caller).filter(({ username }) => usernames.includes(username)),
    );
    respond(resolveProject, ({ project, user_id, job_project_id }) => {
      const named = [...this.projects.values()].find(({ fullPath }) => fullPath === project);
      const found = this.refOf(named?.id ?? Number(project), user_id);
      if (!found) return projectErrors.notFound();
      const opens_for_job = this.openToJobs.has(`${found.id}:${job_project_id}`);
      return { project: found, redirected: false, opens_for_job };
    });
    respond(projectRefs, ({ ids, user_id }) => ids.flatMap((id) => this.refOf(id, user_id) ?? []));
    respond(ciSource, (input, { project }) => {
      this.asked += 1;
      if (input.sha?.length === 64) return new OperationError({ code: 'git.object_id_unsupported' });
      return this.isRepositoryThere ? this.sourceOf(project!, input) : commonErrors.unavailable();
    });
    respond(ciChangedPaths, ({ from, since_merge_base }, { project }) => {
      if (from === 'nowhere') return null;
      this.compared.push([from, since_merge_base]);
      return { paths: this.changed.get(project!.id) ?? [], is_truncated: false };
    });
    respond(ciTreePaths, ({ sha, paths }, { project }) => {
      if (sha === 'nowhere') return null;
      const of = `${project!.id}:`;
      const files = [...this.others.keys()].filter((key) => key.startsWith(of)).map((key) => key.slice(of.length));
      return { existing: paths.filter((path) => files.includes(path)), files, is_truncated: false };
    });
    respond(signJobIdToken, (said) => ({ token: JSON.stringify(said) }));
    respond(getCommit, ({ sha }) => commitOf(sha) ?? contentErrors.commitNotFound());
    respond(listCommitRefs, ({ sha }) => ({
      items: sha.startsWith('d') ? [] : [{ type: 'branch' as const, name: 'main' }],
    }));
    respond(branchTips, ({ branches }, { project }) =>
      branches.map((name) => ({ name, sha: this.tips.get(project!.id) ?? null })),
    );
    respond(memberLevels, ({ project_id, group_id, user_ids = [] }) =>
      user_ids.flatMap((user_id) => {
        const isInGroup = group_id !== undefined && this.groups.get(group_id)?.userIds.includes(user_id);
        const access_level = isInGroup ? Access.Developer : this.levels.get(`${project_id}:${user_id}`);
        return access_level ? [{ user_id, access_level }] : [];
      }),
    );
    respond(groupRefs, ({ ids }) => ids.flatMap((id) => this.groups.get(id)?.group ?? []));
    respond(mergeRequestsOfCommits, (input) => {
      this.ranges.push(input);
      return { items: [], total: 0 };
    });
    respond(ciRefAccess, ({ ref }, { project }) => ({ may_update: this.mayUpdate(project!, ref) }));
  }

  private summaryOf(id: number): Summary | undefined {
    const user = this.users.get(id);
    if (!user) return undefined;
    const { username, name, email, isAdmin, isExternal } = user.caller;
    return {
      id,
      username,
      name,
      state: user.state,
      avatar_url: null,
      web_url: `http://moothall.test/${username}`,
      created_at: '2020-10-15T08:12:01.123Z',
      email,
      public_email: null,
      is_admin: isAdmin,
      is_external: isExternal,
      can_create_group: true,
      projects_limit: 100,
    };
  }

  private refOf(id: number, userId: number | null): ProjectRef | undefined {
    const project = this.projects.get(id);
    return project && { ...project, accessLevel: this.levels.get(`${id}:${userId}`) ?? Access.None };
  }

  private mayUpdate(project: ProjectRef, ref: string): boolean {
    return !this.protectedRefs.has(`${project.id}:${ref}`) || project.accessLevel >= Access.Maintainer;
  }

  /** From now on only maintainers may change the ref. */
  protect(project: ProjectRef, ref: string): void {
    this.protectedRefs.add(`${project.id}:${ref}`);
  }

  private sourceOf(project: ProjectRef, { ref, ref_type, sha, path, merge_request_iid }: Asked): Source {
    const content = this.files.get(project.id);
    if (content === undefined || ref === 'gone') return null;
    const type = ref_type ?? (ref.startsWith('v') ? 'tag' : 'branch');
    return {
      ref_type: merge_request_iid === undefined ? type : 'merge_request',
      may_update: this.mayUpdate(project, ref),
      is_protected: this.protectedRefs.has(`${project.id}:${ref}`),
      default_branch: 'main',
      commit: {
        id: sha ?? 'a'.repeat(40),
        message: this.messages.get(project.id) ?? 'Add all\n\nof it',
        author_name: 'Ada',
        author_email: 'ada@example.com',
        committed_date: '2020-10-15T10:12:01.000+02:00',
      },
      before_sha: 'b'.repeat(40),
      content:
        path === (project.ci?.configPath ?? '.gitlab-ci.yml')
          ? content
          : (this.others.get(`${project.id}:${path}`) ?? null),
      is_too_large: false,
    };
  }

  /** An active user. */
  user(name: string, over: Partial<Caller> = {}): Caller {
    const caller = callerNamed(name, over);
    this.users.set(caller.id, { caller, state: 'active' });
    return caller;
  }

  setState(user: Caller, state: 'active' | 'blocked'): void {
    this.users.set(user.id, { caller: user, state });
  }

  removeUser(user: Caller): void {
    this.users.delete(user.id);
  }

  /** A private project with a pipeline file; null for a commit without one. */
  project(over: Partial<ProjectRef> = {}, file: string | null = plainFile): ProjectRef {
    const project = projectNamed('app', over);
    this.projects.set(project.id, project);
    this.files.set(project.id, file);
    return project;
  }

  /** A public group with members. */
  group(...members: Caller[]): GroupRef {
    const group = groupNamed('deployers', { visibility: 'public' });
    this.groups.set(group.id, { group, userIds: members.map(({ id }) => id) });
    return group;
  }

  setFile(project: ProjectRef, content: string | null): void {
    this.files.set(project.id, content);
  }

  /** Adds a file besides the pipeline file. */
  addFile(project: ProjectRef, path: string, content: string): void {
    this.others.set(`${project.id}:${path}`, content);
  }

  /** Sets the changed paths of pushes and merge requests. */
  setChanged(project: ProjectRef, paths: string[]): void {
    this.changed.set(project.id, paths);
  }

  /** Sets the message of its commits. */
  setMessage(project: ProjectRef, message: string): void {
    this.messages.set(project.id, message);
  }

  /** Sets the head of its branches. */
  setTip(project: ProjectRef, sha: string): void {
    this.tips.set(project.id, sha);
  }

  removeProject(project: ProjectRef): void {
    this.projects.delete(project.id);
  }

  /** Adds a project to the job token scope of another one. */
  openToJobsOf(other: ProjectRef, project: ProjectRef): void {
    this.openToJobs.add(`${project.id}:${other.id}`);
  }

  /** Replaces the stored project. */
  replace(project: ProjectRef): void {
    this.projects.set(project.id, project);
  }

  setLevel(user: Caller, project: ProjectRef, level: Level): void {
    this.levels.set(`${project.id}:${user.id}`, level);
  }

  /** The context that the gateway sends for a user with that level in a project; the user has the level from now on. */
  as(caller: Caller | undefined, project: ProjectRef, accessLevel: Level = Access.Developer) {
    if (caller) this.setLevel(caller, project, accessLevel);
    return contextOf({ caller, project: { ...project, accessLevel } });
  }
}
