import {
  Access,
  type Caller,
  ciSource,
  commonErrors,
  type OutputOf,
  type ProjectRef,
  projectRefs,
  resolveProject,
  userIdsByUsername,
  userSummaries,
} from '@moothall/contracts';
import { callerNamed, contextOf, projectNamed, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { service } from '../src';
import type { Pipeline } from '../src/pipeline/pipeline.schema';
import type { PipelineSchedule } from '../src/schedule/schedule.schema';

type Source = OutputOf<typeof ciSource>;

export const plainFile = 'build:\n  script: make\n';

/** The ci service, with users, projects and repositories that the test keeps. */
export class CiUnderTest {
  readonly users = new Map<number, { caller: Caller; state: string }>();
  readonly projects = new Map<number, ProjectRef>();
  /** Levels by `project:user`. */
  readonly levels = new Map<string, ProjectRef['accessLevel']>();
  /** Pipeline files by project; null is a commit without one, undefined a ref that is not there. */
  readonly files = new Map<number, string | null>();
  isRepositoryThere = true;

  private constructor(readonly under: ServiceUnderTest) {}

  static async start(settings: Record<string, string> = {}): Promise<CiUnderTest> {
    const under = await startServiceUnderTest(service, settings);
    const ci = new CiUnderTest(under);
    ci.answerForNeighbours();
    return ci;
  }

  private answerForNeighbours(): void {
    const { respond } = this.under;
    respond(userSummaries, ({ ids }) => ids.flatMap((id) => this.summaryOf(id) ?? []));
    respond(userIdsByUsername, ({ usernames }) =>
      [...this.users.values()].map(({ caller }) => caller).filter(({ username }) => usernames.includes(username)),
    );
    respond(resolveProject, ({ project, user_id }) => {
      const found = this.refOf(Number(project), user_id);
      return found ? { project: found, redirected: false } : commonErrors.notFound();
    });
    respond(projectRefs, ({ ids, user_id }) => ids.flatMap((id) => this.refOf(id, user_id) ?? []));
    respond(ciSource, ({ ref }, { project }) =>
      this.isRepositoryThere ? this.sourceOf(project!, ref) : commonErrors.unavailable(),
    );
  }

  private summaryOf(id: number): OutputOf<typeof userSummaries>[number] | undefined {
    const user = this.users.get(id);
    if (!user) return undefined;
    const { username, name, email, isAdmin } = user.caller;
    return {
      id,
      username,
      name,
      state: user.state as 'active',
      avatar_url: null,
      web_url: `http://moothall.test/${username}`,
      created_at: '2020-10-15T08:12:01.123Z',
      email,
      public_email: null,
      is_admin: isAdmin,
      is_external: false,
      can_create_group: true,
      projects_limit: 100,
    };
  }

  private refOf(id: number, userId: number | null): ProjectRef | undefined {
    const project = this.projects.get(id);
    return project && { ...project, accessLevel: this.levels.get(`${id}:${userId}`) ?? Access.None };
  }

  private sourceOf(project: ProjectRef, ref: string): Source {
    const content = this.files.get(project.id);
    if (content === undefined || ref === 'gone') return null;
    return {
      ref_type: ref.startsWith('v') ? 'tag' : 'branch',
      commit: {
        id: 'a'.repeat(40),
        message: 'Add all\n\nof it',
        author_name: 'Ada',
        author_email: 'ada@example.com',
        committed_date: '2020-10-15T10:12:01.000+02:00',
      },
      before_sha: 'b'.repeat(40),
      content,
    };
  }

  /** A user who may sign in. */
  user(name: string, over: Partial<Caller> = {}): Caller {
    const caller = callerNamed(name, over);
    this.users.set(caller.id, { caller, state: 'active' });
    return caller;
  }

  /** A private project with a pipeline file. */
  project(over: Partial<ProjectRef> = {}, file: string | null = plainFile): ProjectRef {
    const project = projectNamed('app', over);
    this.projects.set(project.id, project);
    this.files.set(project.id, file);
    return project;
  }

  /** What the gateway sends for a user with that level in a project; the user has it from then on. */
  as(caller: Caller | undefined, project: ProjectRef, accessLevel: ProjectRef['accessLevel'] = Access.Developer) {
    if (caller) this.levels.set(`${project.id}:${caller.id}`, accessLevel);
    return contextOf({ caller, project: { ...project, accessLevel } });
  }

  get schedules(): Model<PipelineSchedule> {
    return this.under.running.app.get(getModelToken('PipelineSchedule'), { strict: false });
  }

  get pipelines(): Model<Pipeline> {
    return this.under.running.app.get(getModelToken('Pipeline'), { strict: false });
  }

  /** Lets a schedule be due, as if its time had come. */
  async makeDue(scheduleId: number, at = new Date(Date.now() - 1000)): Promise<void> {
    await this.schedules.updateOne({ _id: scheduleId }, { $set: { nextRunAt: at } });
  }
}
