import path from 'node:path';
import {
  Access,
  type ApplicationSettings,
  applicationSettingsChanged,
  branchProtection,
  type Caller,
  defaultApplicationSettings,
  type GroupRef,
  groupRefs,
  memberLevels,
  type OutputOf,
  type ProjectRef,
  projectRefs,
  readApplicationSettings,
  userSummaries,
} from '@moothall/contracts';
import {
  callerNamed,
  contextOf,
  eventually,
  groupNamed,
  prepareReplicas,
  projectNamed,
  type Replicas,
  startServiceUnderTest,
  type TestBed,
  uniqueId,
} from '@moothall/testing';
import { service } from '../src';
import { Receiver } from './receiver';

/** Stubs of the other services, and calls to the integrations service. */
export class IntegrationsBed<B extends TestBed = TestBed> {
  /** Settings of administrators. */
  readonly settings: ApplicationSettings = { ...defaultApplicationSettings };
  readonly maintainers = new Map<number, number[]>();
  /** Groups that differ from the default of their id. */
  readonly groups = new Map<number, GroupRef>();
  private readonly projects = new Map<number, ProjectRef>();
  private asked = 0;

  constructor(readonly bed: B) {
    bed.respond(readApplicationSettings, () => {
      this.asked += 1;
      return this.settings;
    });
    bed.respond(projectRefs, ({ ids }) => ids.flatMap((id) => this.projects.get(id) ?? []));
    bed.respond(groupRefs, ({ ids }) => ids.map((id) => this.groups.get(id) ?? groupNamed(`group-${id}`, { id })));
    bed.respond(branchProtection, ({ branches }) =>
      branches.map((name) => ({ name, protected: name === 'stable', can_push: true, can_merge: true })),
    );
    bed.respond(userSummaries, ({ ids }) => ids.map(userOf));
    bed.respond(memberLevels, ({ project_id }) =>
      (this.maintainers.get(project_id ?? 0) ?? []).map((user_id) => ({ user_id, access_level: Access.Maintainer })),
    );
  }

  get call(): B['client']['call'] {
    return this.bed.client.call.bind(this.bed.client);
  }

  get emit(): B['emit'] {
    return this.bed.emit;
  }

  /** Resolves when the service knows the change. */
  async set(changed: Partial<ApplicationSettings>): Promise<void> {
    Object.assign(this.settings, changed);
    const before = this.asked;
    await this.bed.emit(applicationSettingsChanged, { names: Object.keys(changed) });
    // A service that has not read them yet does so when it needs them.
    if (before > 0) await eventually(async () => this.asked > before, 'the new settings');
  }

  project(over: Partial<ProjectRef> = {}): ProjectRef {
    const id = uniqueId();
    const project = projectNamed(`app-${id}`, { id, accessLevel: Access.Maintainer, ...over });
    this.projects.set(id, project);
    return project;
  }

  group(over: Partial<GroupRef> = {}): GroupRef {
    const id = uniqueId();
    const group = groupNamed(`group-${id}`, { id, accessLevel: Access.Owner, ...over });
    this.groups.set(id, group);
    return group;
  }

  as(project: ProjectRef, caller: Caller = callerNamed('ada')) {
    return contextOf({ caller, project });
  }

  /** A push to a branch of a project. */
  push(project: ProjectRef, n: number, over: object = {}) {
    const sha = String(n).padStart(40, '0');
    return {
      project_id: project.id,
      user: { id: 7, username: 'ada', name: 'Ada', email: 'ada@example.com' },
      ref: 'refs/heads/main',
      ref_type: 'branch' as const,
      before: '0'.repeat(40),
      after: sha,
      checkout_sha: sha,
      message: null,
      default_branch: 'main',
      commits: [],
      total_commits_count: n,
      ...over,
    };
  }
}

const userOf = (id: number): OutputOf<typeof userSummaries>[number] => ({
  id,
  username: `user-${id}`,
  name: `User ${id}`,
  state: 'active',
  avatar_url: null,
  web_url: `http://moothall.test/user-${id}`,
  created_at: '2020-10-15T08:12:01.123Z',
  email: `user-${id}@example.com`,
  public_email: null,
  is_admin: false,
  is_external: false,
  can_create_group: true,
  projects_limit: 10,
});

export async function startIntegrationsService(settings: Record<string, string> = {}) {
  const under = await startServiceUnderTest(service, { DELIVERY_RETRY_PAUSE: '1', ...settings });
  return { bed: new IntegrationsBed(under), under, stop: () => under.stop() };
}

/** With a receiver that hooks and integrations may reach. */
export async function startWithReceiver(settings: Record<string, string> = {}) {
  const receiver = await Receiver.start();
  const started = await startIntegrationsService(settings);
  await started.bed.set({ allow_local_requests_from_web_hooks_and_services: true });
  return {
    ...started,
    receiver,
    async stop() {
      await started.stop();
      await receiver.stop();
    },
  };
}

/** For separate processes, which can be killed. */
export async function prepareIntegrationsReplicas(settings: Record<string, string> = {}) {
  const replicas: Replicas = await prepareReplicas(path.resolve(__dirname, '..'), {
    DELIVERY_RETRY_PAUSE: '1',
    ...settings,
  });
  return { bed: new IntegrationsBed(replicas), replicas, stop: () => replicas.stop() };
}
