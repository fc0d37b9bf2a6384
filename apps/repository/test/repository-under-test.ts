import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Access,
  type Caller,
  createBranch,
  createCommit,
  createRepository,
  lfsLocksOfOthers,
  missingLfsObjects,
  type ProjectRef,
  releasesOfTags,
} from '@moothall/contracts';
import type { OperationClient } from '@moothall/messaging';
import { callerNamed, contextOf, projectNamed, type ServiceUnderTest, startServiceUnderTest } from '@moothall/testing';
import { service } from '../src';

export interface RepositoryUnderTest extends ServiceUnderTest {
  /** Contains the folders of the storages `default` and `second`. */
  folder: string;
  newProject(over?: Partial<ProjectRef>): Promise<ProjectUnderTest>;
}

export interface ProjectUnderTest {
  project: ProjectRef;
  caller: Caller;
  /** Context of a maintainer. */
  context: ReturnType<typeof contextOf> & { project: ProjectRef; caller: Caller };
  contextAs(accessLevel: ProjectRef['accessLevel']): ReturnType<typeof contextOf>;
  /** Writes one file. @returns the commit's id */
  commit(branch: string, file: string, content: string): Promise<string>;
  branch(name: string, ref?: string): Promise<void>;
}

/** The service with two storages; each test has projects of its own with a README. */
export async function startRepositoryService(settings: Record<string, string> = {}): Promise<RepositoryUnderTest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-repository-'));
  const under = await startServiceUnderTest(service, {
    GIT_STORAGES: `default=${folder}/default,second=${folder}/second`,
    ...settings,
  });
  const { client } = under;
  under.respond(releasesOfTags, () => []);
  under.respond(lfsLocksOfOthers, () => []);
  under.respond(missingLfsObjects, () => []);
  return {
    ...under,
    folder,
    async stop() {
      await under.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    newProject: (over = {}) => newProjectOn(client, over),
  };
}

/** A project whose repository contains a README, created by the process with its storage. */
export async function newProjectOn(client: OperationClient, over: Partial<ProjectRef> = {}): Promise<ProjectUnderTest> {
  const project = projectNamed('app', { accessLevel: Access.Maintainer, ...over });
  const caller = callerNamed('ada');
  const context = { ...contextOf({}), project, caller };
  const author = { name: 'Ada', email: 'ada@example.com' };
  const readme = { title: 'App', text: '' };
  const input = { project_id: project.id, default_branch: 'main', readme, author };
  await client.call(createRepository, input, context);
  return {
    project,
    caller,
    context,
    contextAs: (accessLevel) => contextOf({ caller, project: { ...project, accessLevel } }),
    async commit(branch, file_path, content) {
      const actions = [{ action: 'create' as const, file_path, content }];
      const input = { id: 'x', branch, commit_message: `add ${file_path}`, actions };
      return (await client.call(createCommit, input, context)).id;
    },
    async branch(branch, ref = 'main') {
      await client.call(createBranch, { id: 'x', branch, ref }, context);
    },
  };
}
