import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  artifactSizes,
  type Caller,
  commonErrors,
  copyLfsObjects,
  createRepository,
  groupErrors,
  type InputOf,
  isReadable,
  lfsObjectSizes,
  type Operation,
  type OperationContext,
  type OutputOf,
  packageSizes,
  projectErrors,
  reaches,
  repositoryState,
  resolveGroup,
  resolveProject,
  setDefaultBranch,
  userActivities,
  userCreated,
  userSummaries,
  usersByConfirmedEmail,
} from '@moothall/contracts';
import { callerNamed, type ServiceUnderTest, startServiceUnderTest, type TestBed } from '@moothall/testing';
import { service } from '../src';

/** Services around the projects service: identity and repository are stubs from their contracts. */
export interface Surroundings {
  /** Requested repositories, by project id. */
  repositories: Map<number, InputOf<typeof createRepository>>;
  /** Copies of LFS objects: source project by target project. */
  lfsCopies: Map<number, number>;
  /** Bot users, by id. */
  bots: Set<number>;
  /** Sets the state of a repository in the repository service. */
  setState(id: number, state: OutputOf<typeof repositoryState>): void;
  /** All sent mails, as text. */
  mails(): string[];
  /** A user that identity knows, with a namespace. */
  user(username?: string, over?: Partial<Caller>): Promise<Caller>;
  /** Calls as the gateway does: with resolved project or group, and access checks. */
  ask<T extends Operation>(caller: Caller | undefined, operation: T, input: InputOf<T>): Promise<OutputOf<T>>;
}

/** The real projects service. */
export type ProjectsUnderTest = ServiceUnderTest & Surroundings;

let names = 0;
export const uniqueName = (stem: string): string => `${stem}${process.pid}x${++names}`;

export async function startProjects(settings: Record<string, string> = {}): Promise<ProjectsUnderTest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-projects-'));
  const underTest = await startServiceUnderTest(service, { ...foldersIn(folder), ...settings });
  return {
    ...underTest,
    ...surround(underTest, folder),
    async stop() {
      await underTest.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Settings that keep all files of the service in one folder. */
export const foldersIn = (folder: string): Record<string, string> => ({
  OBJECT_STORAGE_DIR: path.join(folder, 'objects'),
  MAIL_DIR: path.join(folder, 'mail'),
});

/** @param folder of {@link foldersIn} */
export function surround(bed: TestBed, folder: string): Surroundings {
  const users = new Map<number, Caller>();
  const bots = new Set<number>();
  const repositories = new Map<number, InputOf<typeof createRepository>>();
  const lfsCopies = new Map<number, number>();
  const states = new Map<number, OutputOf<typeof repositoryState>>();
  bed.respond(userSummaries, ({ ids }) => ids.flatMap((id) => summaryOf(users.get(id)) ?? []));
  bed.respond(userActivities, ({ ids }) =>
    ids.flatMap((id) =>
      users.has(id) ? [{ id, is_bot: bots.has(id), last_activity_on: null, last_sign_in_at: null }] : [],
    ),
  );
  bed.respond(usersByConfirmedEmail, ({ emails }) =>
    [...users.values()]
      .map(({ id, email }) => ({ email: email.toLowerCase(), user_id: id }))
      .filter(({ email }) => emails.includes(email)),
  );
  bed.respond(createRepository, (input) => {
    repositories.set(input.project_id, input);
    const isEmpty = !input.readme && !input.forked_from;
    return {
      default_branch: isEmpty ? null : input.default_branch,
      is_empty: isEmpty,
      readme_path: input.readme ? 'README.md' : null,
    };
  });
  bed.respond(
    repositoryState,
    ({ project_id }) => states.get(project_id) ?? { default_branch: null, is_empty: true, readme_path: null },
  );
  bed.respond(lfsObjectSizes, ({ project_ids }) => project_ids.map((id) => ({ project_id: id, size_bytes: 5 })));
  bed.respond(copyLfsObjects, ({ project_id, from_project_id }) => {
    lfsCopies.set(project_id, from_project_id);
  });
  bed.respond(packageSizes, ({ project_ids }) => project_ids.map((id) => ({ project_id: id, size_bytes: 7 })));
  bed.respond(artifactSizes, ({ project_ids }) => project_ids.map((id) => ({ project_id: id, size_bytes: 6 })));
  bed.respond(setDefaultBranch, ({ branch }) => ({ default_branch: branch }));
  return {
    repositories,
    lfsCopies,
    bots,
    setState: (id, state) => states.set(id, state),
    mails: () => mailsIn(path.join(folder, 'mail')),
    async user(username = uniqueName('user'), over = {}) {
      const caller = callerNamed(username, over);
      users.set(caller.id, caller);
      await bed.emit(userCreated, { user_id: caller.id, username, name: caller.name });
      return caller;
    },
    async ask(caller, operation, input) {
      const context = await contextFor(bed, caller, operation, input);
      return bed.client.call(operation, input, context);
    },
  };
}

function mailsIn(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files.map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

function summaryOf(user: Caller | undefined) {
  if (!user) return undefined;
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: 'active',
    avatar_url: null,
    web_url: `http://moothall.test/${user.username}`,
    created_at: '2020-10-15T08:12:01.123Z',
    email: user.email,
    public_email: null,
    is_admin: user.isAdmin,
    is_external: user.isExternal,
    can_create_group: !user.isExternal,
    projects_limit: 100,
  };
}

async function contextFor(
  { client }: TestBed,
  caller: Caller | undefined,
  { access }: Operation,
  input: object,
): Promise<Partial<OperationContext>> {
  const base = { requestId: 'test', ...(caller && { caller }) };
  const principal = {
    user_id: caller?.id ?? null,
    is_admin: caller?.isAdmin ?? false,
    is_external: caller?.isExternal ?? false,
  };
  const id = 'id' in input ? String(input.id) : '';
  if (access.on === 'administrator' && !caller?.isAdmin) throw commonErrors.forbidden();
  if (access.on === 'project') {
    const { project } = await client.call(resolveProject, { project: id, ...principal });
    if (!isReadable(project, caller)) throw projectErrors.notFound();
    if (!reaches(project, access.level, access.ability))
      throw caller ? commonErrors.forbidden() : commonErrors.unauthorized();
    return { ...base, project };
  }
  if (access.on === 'group') {
    const { group } = await client.call(resolveGroup, { group: id, ...principal });
    if (!isReadable(group, caller)) throw groupErrors.notFound();
    if (!reaches(group, access.level, access.ability))
      throw caller ? commonErrors.forbidden() : commonErrors.unauthorized();
    return { ...base, group };
  }
  return base;
}

/** Error code and message of a rejected promise. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: string; message?: unknown }> {
  return promise.then(
    () => ({ code: 'none' }),
    (error: { value?: { code: string; message?: unknown } }) => error.value ?? { code: String(error) },
  );
}
