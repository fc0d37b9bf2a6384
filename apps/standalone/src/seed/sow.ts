import { issueKnownToken, OperationError } from '@moothall/contracts';
import { connectNats, OperationClient, securityOf } from '@moothall/messaging';
import { StartError } from '../data-folder/start-error';
import type { SeedFile } from './read-seed';
import { SeedClient } from './seed-client';
import {
  levels,
  type SeedGroup,
  type SeedNote,
  type SeedProject,
  type SeedRunner,
  type SeedUser,
  type SeedVariable,
} from './seed-schema';

/** A server with nothing but its administrator. */
export interface Field {
  url: string;
  /** Token of an administrator. */
  token: string;
  natsUrl: string;
}

/** The result of a seed: ids by user name and full path, and generated tokens. */
export interface Sown {
  users: Record<string, number>;
  groups: Record<string, number>;
  projects: Record<string, number>;
  runners: { id: number; description: string; token: string }[];
}

type Path = readonly PropertyKey[];

/** Number of users or projects created concurrently. */
const abreast = 4;

/** Creates everything in a seed through the v4 API. @throws StartError for refusals of the server */
export async function sow(file: SeedFile, { url, token, natsUrl }: Field): Promise<Sown> {
  const connection = await connectNats(natsUrl, 'standalone', securityOf(process.env));
  try {
    return await new Sower(file, new SeedClient(url, token), new OperationClient(connection)).sow();
  } finally {
    await connection.close();
  }
}

class Sower {
  private readonly sown: Sown = { users: {}, groups: {}, projects: {}, runners: [] };
  /** By full path of the group, and title. */
  private readonly iterations = new Map<string, Map<string, string>>();

  constructor(
    private readonly file: SeedFile,
    private readonly client: SeedClient,
    private readonly operations: OperationClient,
  ) {}

  async sow(): Promise<Sown> {
    const { users, groups, projects, runners } = this.file.seed;
    await forEachAbreast(users, (user, index) => this.addUser(user, ['users', index]));
    // Parents come first, whatever their position is.
    const inOrder = [...groups.entries()].sort(([, a], [, b]) => depthOf(a) - depthOf(b));
    for (const [index, group] of inOrder) await this.addGroup(group, ['groups', index]);
    await forEachAbreast(projects, (project, index) => this.addProject(project, ['projects', index]));
    for (const [index, runner] of runners.entries()) await this.addRunner(runner, ['runners', index]);
    return this.sown;
  }

  private async addUser(user: SeedUser, path: Path): Promise<void> {
    const { username, name = username, email = `${username}@example.com`, password, admin, tokens, ssh_keys } = user;
    const secret = password === undefined ? { force_random_password: true } : { password };
    const { id } = await this.post([...path, 'username'], '/users', {
      username,
      name,
      email,
      admin,
      skip_confirmation: true,
      ...secret,
    });
    this.sown.users[username] = id;
    for (const [index, token] of tokens.entries()) await this.addToken(id, token, [...path, 'tokens', index, 'token']);
    for (const [index, key] of ssh_keys.entries())
      await this.post([...path, 'ssh_keys', index], `/users/${id}/keys`, key);
  }

  private async addToken(user_id: number, token: SeedUser['tokens'][number], path: Path): Promise<void> {
    try {
      await this.operations.call(issueKnownToken, { user_id, ...token });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      throw new StartError(`${this.file.locate(path)}: ${error.message}`);
    }
  }

  private async addGroup(group: SeedGroup, path: Path): Promise<void> {
    const { path: fullPath, name, members, variables, iterations, ...rest } = group;
    const [parent, slug] = splitPath(fullPath);
    const parentId = parent === undefined ? {} : { parent_id: this.groupAt(parent, path) };
    const body = { ...rest, ...parentId, path: slug, name: name ?? slug };
    const { id } = await this.post([...path, 'path'], '/groups', body);
    this.sown.groups[fullPath] = id;
    await this.addMembers(`/groups/${id}`, members, path);
    await this.addVariables(`/groups/${id}`, variables, path);
    await this.addIterations(fullPath, iterations, path);
  }

  private async addIterations(groupPath: string, iterations: SeedGroup['iterations'], path: Path): Promise<void> {
    const cadences = new Map<string | undefined, string>();
    const made = new Map<string, string>();
    for (const [index, { title, description, start_date, due_date, cadence = 'Iterations' }] of iterations.entries()) {
      const where = this.file.locate([...path, 'iterations', index]);
      const iterationsCadenceId = cadences.get(cadence) ?? (await this.addCadence(where, groupPath, cadence));
      cadences.set(cadence, iterationsCadenceId);
      const input = { groupPath, iterationsCadenceId, title, description, startDate: start_date, dueDate: due_date };
      const { iteration } = await this.client.mutate<{ iteration: { id: string } }>(
        where,
        'iterationCreate',
        input,
        'iteration { id }',
      );
      made.set(title, iteration.id);
    }
    this.iterations.set(groupPath, made);
  }

  private async addCadence(where: string, groupPath: string, title: string): Promise<string> {
    const input = { groupPath, title, automatic: false };
    const { iterationCadence } = await this.client.mutate<{ iterationCadence: { id: string } }>(
      where,
      'iterationCadenceCreate',
      input,
      'iterationCadence { id }',
    );
    return iterationCadence.id;
  }

  /** The iteration in the nearest group above a project. */
  private iterationAt(title: string, projectPath: string, path: Path): string {
    const [above] = splitPath(projectPath);
    if (above === undefined) return this.refuse('iteration', title, path);
    return this.iterations.get(above)?.get(title) ?? this.iterationAt(title, above, path);
  }

  private async addProject(project: SeedProject, path: Path): Promise<void> {
    const { path: fullPath, name, description, visibility, default_branch, settings } = project;
    const [namespace, slug] = splitPath(fullPath) as [string, string];
    const common = { ...settings, path: slug, name: name ?? slug, description, visibility, default_branch };
    const owner = this.sown.users[namespace];
    const { id } = await (owner === undefined
      ? this.post([...path, 'path'], '/projects', { ...common, namespace_id: this.groupAt(namespace, path) })
      : this.post([...path, 'path'], `/projects/user/${owner}`, common));
    this.sown.projects[fullPath] = id;
    const at = `/projects/${id}`;
    await this.addMembers(at, project.members, path);
    await this.addVariables(at, project.variables, path);
    await this.addContent(at, project, path);
    await this.addPlans(at, project, path);
  }

  private async addMembers(at: string, members: SeedProject['members'], path: Path): Promise<void> {
    for (const [username, level] of Object.entries(members)) {
      const where = [...path, 'members', username];
      const user_id = this.userAt(username, where);
      await this.post(where, `${at}/members`, { user_id, access_level: levels[level] });
    }
  }

  private async addVariables(at: string, variables: readonly SeedVariable[], path: Path): Promise<void> {
    for (const [index, variable] of variables.entries())
      await this.post([...path, 'variables', index], `${at}/variables`, variable);
  }

  private async addContent(at: string, project: SeedProject, path: Path): Promise<void> {
    const { files, branches, tags, default_branch } = project;
    const commit = async (start: object, own: SeedProject['files'], known: string[], where: Path) => {
      const actions = Object.entries(own).map(([file_path, file]) => ({
        action: known.includes(file_path) ? 'update' : 'create',
        file_path,
        ...contentOf(file),
      }));
      const body = { ...start, commit_message: 'Add files of the seed', actions };
      await this.post(where, `${at}/repository/commits`, body);
    };
    if (Object.keys(files).length > 0) await commit({ branch: default_branch }, files, [], [...path, 'files']);
    for (const [branch, { from = default_branch, files: own }] of Object.entries(branches)) {
      const where = [...path, 'branches', branch];
      if (Object.keys(own).length > 0) await commit({ branch, start_branch: from }, own, filesOf(project, from), where);
      else await this.post(where, `${at}/repository/branches`, { branch, ref: from });
    }
    for (const [tag_name, ref] of Object.entries(tags))
      await this.post([...path, 'tags', tag_name], `${at}/repository/tags`, { tag_name, ref });
  }

  private async addPlans(at: string, project: SeedProject, path: Path): Promise<void> {
    for (const [index, label] of project.labels.entries())
      await this.post([...path, 'labels', index], `${at}/labels`, label);
    const milestones = new Map<string, number>();
    for (const [index, milestone] of project.milestones.entries())
      milestones.set(
        milestone.title,
        (await this.post([...path, 'milestones', index], `${at}/milestones`, milestone)).id,
      );
    for (const [index, issue] of project.issues.entries()) {
      const { notes, state, author, assignees, milestone, iteration, labels, ...rest } = issue;
      const where = [...path, 'issues', index];
      const planned = milestone === undefined ? {} : { milestone_id: milestones.get(milestone) };
      if (milestone !== undefined && !milestones.has(milestone))
        this.refuse('milestone', milestone, [...where, 'milestone']);
      const assignee_ids = assignees.map((name) => this.userAt(name, where));
      const body = { ...rest, ...planned, assignee_ids, labels: labels.join(',') };
      const { iid } = await this.post<{ iid: number }>(where, `${at}/issues`, body, author);
      if (iteration !== undefined) {
        const iterationId = this.iterationAt(iteration, project.path, [...where, 'iteration']);
        const input = { projectPath: project.path, iid: String(iid), iterationId };
        await this.client.mutate(this.file.locate(where), 'issueSetIteration', input);
      }
      await this.addNotes(`${at}/issues/${iid}`, notes, where);
      if (state === 'closed')
        await this.client.put(this.file.locate(where), `${at}/issues/${iid}`, { state_event: 'close' });
    }
    for (const [index, request] of project.merge_requests.entries()) {
      const { notes, author, assignees, reviewers, labels, target_branch = project.default_branch, ...rest } = request;
      const where = [...path, 'merge_requests', index];
      const people = {
        assignee_ids: assignees.map((name) => this.userAt(name, where)),
        reviewer_ids: reviewers.map((name) => this.userAt(name, where)),
      };
      const body = { ...rest, ...people, target_branch, labels: labels.join(',') };
      const { iid } = await this.post<{ iid: number }>(where, `${at}/merge_requests`, body, author);
      await this.addNotes(`${at}/merge_requests/${iid}`, notes, where);
    }
  }

  private async addNotes(at: string, notes: readonly SeedNote[], path: Path): Promise<void> {
    for (const [index, { body, author }] of notes.entries())
      await this.post([...path, 'notes', index], `${at}/notes`, { body }, author);
  }

  private async addRunner({ description, project, tags, run_untagged }: SeedRunner, path: Path): Promise<void> {
    const projectId = project === undefined ? undefined : this.sown.projects[project];
    if (project !== undefined && projectId === undefined) this.refuse('project', project, [...path, 'project']);
    const body = {
      description,
      run_untagged,
      tag_list: tags,
      ...(projectId === undefined
        ? { runner_type: 'instance_type' }
        : { runner_type: 'project_type', project_id: projectId }),
    };
    const { id, token } = await this.post<{ id: number; token: string }>(path, '/user/runners', body);
    this.sown.runners.push({ id, description, token });
  }

  private post<T = { id: number }>(path: Path, route: string, body: object, sudo?: string): Promise<T> {
    return this.client.post<T>(this.file.locate(path), route, body, sudo);
  }

  private userAt(username: string, path: Path): number {
    return this.sown.users[username] ?? this.refuse('user', username, path);
  }

  private groupAt(fullPath: string, path: Path): number {
    return this.sown.groups[fullPath] ?? this.refuse('group', fullPath, path);
  }

  private refuse(kind: string, name: string, path: Path): never {
    throw new StartError(`${this.file.locate(path)}: the seed has no ${kind} ${name}`);
  }
}

const depthOf = ({ path }: { path: string }): number => path.split('/').length;

/** @returns the path of the parent, and the last segment */
function splitPath(fullPath: string): [string | undefined, string] {
  const cut = fullPath.lastIndexOf('/');
  return cut < 0 ? [undefined, fullPath] : [fullPath.slice(0, cut), fullPath.slice(cut + 1)];
}

function contentOf(file: SeedProject['files'][string]): object {
  if (typeof file === 'string') return { content: file };
  const { content, encoding, executable } = file;
  return { content, encoding, execute_filemode: executable };
}

/** The files of a branch that other branches start from. */
function filesOf(project: SeedProject, branch: string): string[] {
  const own = project.branches[branch];
  if (!own) return branch === project.default_branch ? Object.keys(project.files) : [];
  const from = own.from ?? project.default_branch;
  return [...Object.keys(own.files), ...(from === branch ? [] : filesOf(project, from))];
}

async function forEachAbreast<T>(items: readonly T[], make: (item: T, index: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += abreast) {
    await Promise.all(items.slice(first, first + abreast).map((item, offset) => make(item, first + offset)));
  }
}
