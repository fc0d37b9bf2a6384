import {
  Access,
  commonErrors,
  createIteration,
  getCurrentUser,
  getGroup,
  getMetadata,
  getProject,
  iterationErrors,
  iterationStates,
  listProjectMergeRequests,
  listProjects,
  listUsers,
  type Operation,
  type OutputOf,
} from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed, sample } from '@moothall/testing';
import type { z } from 'zod';
import { startGatewayUnderTest } from './gateway-under-test';

const open = projectNamed('open', { id: 11, visibility: 'public' });
const hidden = projectNamed('hidden', { id: 12, visibility: 'private', accessLevel: Access.None });

export type GraphqlUnderTest = Awaited<ReturnType<typeof startGraphqlUnderTest>>;

/** The gateway with stub services that answer by their contracts. */
export async function startGraphqlUnderTest() {
  /** Calls of GraphQL to operations, in order. */
  const calls: string[] = [];
  const gateway = await startGatewayUnderTest();
  gateway.knowCaller('ada-token', callerNamed('ada'));
  gateway.knowCaller('reader-token', callerNamed('reader', { scopes: ['read_api'] }));
  gateway.knowCaller('profile-token', callerNamed('profile', { scopes: ['read_user'] }));
  gateway.knowCaller('job-token', callerNamed('job', { credential: 'job_token' }));
  gateway.knowProject(open);
  gateway.knowProject(hidden);
  const { stubs } = gateway;
  const note = (what: string) => calls.push(what);
  stubs.respond(getCurrentUser, (_input, { caller }) => {
    note('user');
    return { ...filled(getCurrentUser), id: 7, username: caller!.username, web_url: 'http://m.test/ada' };
  });
  stubs.respond(getMetadata, () => ({ ...filled(getMetadata), version: '13.6.0' }));
  stubs.respond(getProject, ({ id }, { project }) => {
    note(`project ${id}`);
    return { ...projectView(project!.id, project!.fullPath), description: 'x'.repeat(1000) };
  });
  for (const [name, accessLevel] of [
    ['tools', Access.Owner],
    ['taken', Access.Owner],
    ['guests', Access.Guest],
  ] as const)
    gateway.knowGroup(groupNamed(name, { accessLevel, visibility: 'public' }));
  stubs.respond(getGroup, (_input, { group }) =>
    group!.fullPath === 'away'
      ? commonErrors.unavailable()
      : { ...filled(getGroup), id: group!.id, full_path: group!.fullPath },
  );
  gateway.knowGroup(groupNamed('away', { visibility: 'public' }));
  stubs.respond(createIteration, (_input, { group }) => {
    if (group!.fullPath === 'taken') return iterationErrors.overlaps();
    note(`made in ${group!.fullPath}`);
    const iteration = { id: 5, iid: 2, title: 'One', state: iterationStates.current, web_url: 'http://m.test/x' };
    return { ...filled(createIteration), ...iteration };
  });
  stubs.respond(listProjects, ({ page = 1, per_page = 20 }) => {
    note(`projects ${page} ${per_page}`);
    const all = Array.from({ length: 250 }, (_, n) => projectView(n + 1, `tools/p${n + 1}`));
    return { items: all.slice((page - 1) * per_page, page * per_page), total: all.length };
  });
  stubs.respond(listProjectMergeRequests, ({ id, iids }) => {
    note(`merge requests of ${id} ${iids ?? ''}`);
    return { items: [], total: 0 };
  });
  stubs.respond(listUsers, () => ({ items: [], total: 0 }));

  /** @param query one request, or the requests of a batch */
  async function ask(query: unknown, token = 'ada-token', variables?: unknown) {
    const body = JSON.stringify(Array.isArray(query) ? query : { query, variables });
    const headers = { 'content-type': 'application/json' };
    const response = await gateway.fetch('/api/graphql', { method: 'POST', body, headers, token });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  return { gateway, calls, ask, stop: () => gateway.stop() };
}

/** A sample answer of an operation, from its contract. */
const filled = <T extends Operation>({ output }: T) => sample(output as z.ZodType) as OutputOf<T> & object;

const projectView = (id: number, path_with_namespace: string) => ({
  ...filled(getProject),
  ...{ id, path_with_namespace, name: path_with_namespace, default_branch: 'main', star_count: 0, forks_count: 0 },
  ...{
    visibility: 'public' as const,
    topics: [],
    namespace: sample(getProject.output.shape.namespace) as OutputOf<typeof getProject>['namespace'],
  },
});
