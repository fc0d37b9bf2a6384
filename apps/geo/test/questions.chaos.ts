import {
  Access,
  answerGeoQuestion,
  authenticateToken,
  type Caller,
  commonErrors,
  type InputOf,
  listPipelines,
  OperationError,
  projectErrors,
  queryPrimary,
  resolveProject,
} from '@moothall/contracts';
import { RecordsClient } from '@moothall/messaging';
import { callerNamed, projectNamed, shareBetweenTests } from '@moothall/testing';
import { startGeoService } from './geo-under-test';
import { primaryToken, startPrimary } from './primary-under-test';

const application = { id: 'a'.repeat(64), secret: 's'.repeat(64) };

/** A primary with one token and one project, and its secondary, which signs in as its node. */
async function startSites() {
  const primary = await startPrimary();
  primary.credential = `Basic ${Buffer.from(`${application.id}:${application.secret}`).toString('base64')}`;
  const ada = callerNamed('ada') as Caller;
  const project = projectNamed('copied');
  const known = { hash: 'b'.repeat(64), isRevoked: false, isAway: false, asked: 0 };
  primary.bed.under.respond(authenticateToken, ({ token_sha256 }) => {
    known.asked += 1;
    if (known.isAway) return commonErrors.unavailable();
    if (token_sha256 === known.hash && !known.isRevoked) return { caller: ada, expires_at: null };
    return commonErrors.unauthorized();
  });
  primary.bed.under.respond(resolveProject, ({ project: asked, user_id }) =>
    asked === String(project.id)
      ? { project: { ...project, accessLevel: user_id === ada.id ? Access.Developer : Access.None }, redirected: false }
      : projectErrors.notFound(),
  );
  primary.bed.under.respond(listPipelines, (_input, context) => ({
    items: [],
    total: context.project?.accessLevel ?? 0,
  }));
  const { under } = await startGeoService({
    GEO_ROLE: 'secondary',
    GEO_PRIMARY_URL: primary.url,
    GEO_APPLICATION_ID: application.id,
    GEO_APPLICATION_SECRET: application.secret,
    GEO_ANSWERS_KEPT: '1',
    GEO_ANSWERS_KEPT_AWAY: '2',
  });
  const records = new RecordsClient(under.client, true);
  return {
    primary,
    under,
    ada,
    project,
    known,
    records,
    async stop() {
      await under.stop();
      await primary.stop();
    },
  };
}

const sites = shareBetweenTests(startSites);
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'ok',
    (error: unknown) => (error instanceof OperationError ? error.code : String(error)),
  );
const whose = (token_sha256: string) => sites.records.call(authenticateToken, { token_sha256 });
const eventuallyOf = async (code: string, token: string) => {
  for (;;) {
    const found = await codeOf(whose(token));
    if (found === code) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

it('authenticates callers by the primary, and caches that for a moment', async () => {
  const { known, ada } = sites;
  expect(await whose(known.hash)).toEqual({ caller: ada, expires_at: null });
  const before = known.asked;
  await Promise.all([whose(known.hash), whose(known.hash)]);
  expect(known.asked).toBe(before);
  known.isRevoked = true;
  await eventuallyOf('common.unauthorized', known.hash);
  known.isRevoked = false;
  await eventuallyOf('ok', known.hash);
});

it('is refused as the primary refuses', async () => {
  expect(await codeOf(whose('c'.repeat(64)))).toBe('common.unauthorized');
  expect(await codeOf(sites.records.call(resolveProject, { project: 'nobody/nothing', user_id: null }))).toBe(
    'project.not_found',
  );
});

it('resolves projects on the primary with the rights of the caller', async () => {
  const { ada, project } = sites;
  const seen = (caller?: Caller) =>
    sites.records.call(
      listPipelines,
      { id: String(project.id) },
      // The project data of this site are ignored.
      { project: { ...project, accessLevel: 50 }, ...(caller && { caller }) },
    );
  expect(await seen(ada)).toMatchObject({ total: 30 });
  expect(await seen()).toMatchObject({ total: 0 });
});

it('uses a cached answer for a while if the primary is unreachable, and then fails', async () => {
  const { known, primary } = sites;
  const fresh = 'd'.repeat(64);
  known.hash = fresh;
  await eventuallyOf('ok', fresh);
  primary.isAway = true;
  expect(await codeOf(whose(fresh))).toBe('ok');
  expect(await codeOf(whose('e'.repeat(64)))).toBe('common.unavailable');
  await eventuallyOf('common.unavailable', fresh);
  primary.isAway = false;
  await eventuallyOf('ok', fresh);
  known.isAway = true;
  await eventuallyOf('common.unavailable', fresh);
  known.isAway = false;
  await eventuallyOf('ok', fresh);
});

it('answers ten operations and no others, and none on a secondary', async () => {
  const { bed } = sites.primary;
  const answer = (over: object) =>
    codeOf(bed.call(answerGeoQuestion, { parameters: {}, ...over } as InputOf<typeof answerGeoQuestion>, bed.context));
  expect(await answer({ question: 'identity.administrator.ensure' })).toContain('invalid_value');
  expect(await answer({ question: 'identity.authentication.token' })).toBe('common.bad_request');
  expect(await answer({ question: authenticateToken.name, parameters: { token_sha256: 'x'.repeat(64) } })).toBe('ok');
  const onSecondary = { question: authenticateToken.name, parameters: { token_sha256: 'x'.repeat(64) } };
  expect(await codeOf(sites.under.client.call(answerGeoQuestion, onSecondary, bed.context))).toBe('common.forbidden');
});

it('reports that it is unavailable if the site has no credentials, or they are refused', async () => {
  const { primary, known, under } = sites;
  const { credential } = primary;
  primary.credential = `other ${primaryToken}`;
  expect(await codeOf(whose('f'.repeat(64)))).toBe('common.unavailable');
  primary.credential = credential;
  const { under: lonely, stop } = await startGeoService({ GEO_ROLE: 'secondary', GEO_PRIMARY_URL: primary.url });
  const question = { question: authenticateToken.name, parameters: { token_sha256: known.hash } };
  expect(await codeOf(lonely.client.call(queryPrimary, question))).toBe('common.unavailable');
  await stop();
  expect(under.running).toBeDefined();
});
