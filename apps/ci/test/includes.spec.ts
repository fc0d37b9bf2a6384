import {
  Access,
  createPipeline,
  createProjectVariable,
  getInstanceTemplate,
  lintInProject,
  lintOfProject,
  lintText,
  listPipelineJobs,
  listTags,
  type ProjectRef,
  pipelineErrors,
  readApplicationSettings,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
  templateErrors,
} from '@moothall/contracts';
import { contextOf, uniqueId } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

let ci: CiUnderTest;
beforeAll(async () => {
  ci = await CiUnderTest.start({ ROLES: 'api' });
  ci.under.respond(getInstanceTemplate, ({ key }) =>
    key === 'Plain' ? { name: key, content: 'template: { script: x }' } : templateErrors.notFound(),
  );
  ci.under.respond(
    readApplicationSettings,
    () => ({ allow_local_requests_from_web_hooks_and_services: false }) as never,
  );
});
afterAll(() => ci?.stop());

const scene = (file: string, over: Partial<ProjectRef> = {}) => {
  const project = ci.stubs.project(over, file);
  const developer = ci.stubs.user('developer');
  const context = ci.stubs.as(developer, project);
  const names = async () => {
    const { id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, context);
    const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: id }, context);
    return items.map(({ name }) => name).sort();
  };
  return { project, developer, context, names };
};
const refused = (reason: string) => ({
  value: { code: pipelineErrors.invalid.code, message: { base: [expect.stringContaining(reason)] } },
});

describe('included files', () => {
  it('are read from the project, from projects that the user may read, and from templates', async () => {
    const path = `shared-${uniqueId()}`;
    const s = scene(`include: [part.yml, { template: Plain.gitlab-ci.yml }, { project: group/${path}, file: /c.yml }]`);
    const other = ci.stubs.project({ path, fullPath: `group/${path}` });
    ci.stubs.addFile(s.project, 'part.yml', 'part: { script: x }');
    ci.stubs.addFile(other, 'c.yml', 'include: d.yml\nc: { script: x }');
    ci.stubs.addFile(other, 'd.yml', 'd: { script: x }');
    await expect(s.names()).rejects.toMatchObject(refused('not found or access denied'));
    ci.stubs.setLevel(s.developer, other, Access.Guest);
    await expect(s.names()).rejects.toMatchObject(refused('not found or access denied'));
    ci.stubs.setLevel(s.developer, other, Access.Reporter);
    expect(await s.names()).toEqual(['c', 'd', 'part', 'template']);
  });

  it('may be patterns, in the project and in projects that the user may read', async () => {
    const path = `other-${uniqueId()}`;
    const elsewhere = (ref: string) => `{ exists: { paths: [c.yml], project: group/${path}, ref: ${ref} } }`;
    const s = scene(`
include: { local: parts/*.yml, rules: [{ exists: [Dockerfile] }] }
docker: { script: x, rules: [{ exists: [Dockerfile] }] }
sources: { script: x, rules: [{ exists: ["src/**/*.ts", "*.nothing"] }] }
none: { script: x, rules: [{ exists: [Makefile] }] }
other: { script: x, rules: [${elsewhere('v1')}] }`);
    const other = ci.stubs.project({ path, fullPath: `group/${path}` });
    for (const file of ['Dockerfile', 'src/a/b.ts']) ci.stubs.addFile(s.project, file, '');
    ci.stubs.addFile(s.project, 'parts/part.yml', 'part: { script: x }');
    ci.stubs.addFile(other, 'c.yml', '');
    await expect(s.names()).rejects.toMatchObject(refused('is not a valid project path'));
    ci.stubs.setLevel(s.developer, other, Access.Reporter);
    expect(await s.names()).toEqual(['docker', 'other', 'part', 'sources']);
    ci.stubs.setFile(s.project, `a: { script: x, rules: [${elsewhere('nowhere')}] }`);
    await expect(s.names()).rejects.toMatchObject(refused('is not a valid ref in project'));
    const many = Array.from(
      { length: 21 },
      (_, n) => `j${n}: { script: x, rules: [{ exists: [${`f${n}*,`.repeat(50)}] }] }`,
    );
    ci.stubs.setFile(s.project, many.join('\n'));
    await expect(s.names()).rejects.toMatchObject(refused('No stages'));
    const lists = Array.from(
      { length: 11 },
      (_, n) => `j${n}: { script: x, rules: [{ changes: { paths: [a], compare_to: r${n} } }] }`,
    );
    ci.stubs.setFile(s.project, lists.join('\n'));
    await expect(s.names()).rejects.toMatchObject(refused('ask for too much'));
  });

  it('may be components of projects that the maker reads, by version', async () => {
    const path = `parts-${uniqueId()}`;
    const include = (version: string) =>
      `include: { component: $CI_SERVER_FQDN/group/${path}/lint@${version}, inputs: { name: lint } }`;
    const s = scene(include('1'));
    const other = ci.stubs.project({ path, fullPath: `group/${path}` });
    const asked: string[] = [];
    ci.under.respond(listTags, ({ search }, { project }) => {
      asked.push(search ?? '');
      const tags = project?.id === other.id ? ['1.9.0', '1.10.0'] : [];
      return { items: tags.map((name) => ({ name }) as never), total: tags.length };
    });
    await expect(s.names()).rejects.toMatchObject(refused(`group/${path}/lint@1\` not found or access denied!`));
    ci.stubs.setLevel(s.developer, other, Access.Reporter);
    await expect(s.names()).rejects.toMatchObject(
      refused('there is no templates/lint.yml and no templates/lint/template.yml'),
    );
    const component = 'spec: { inputs: { name: } }\n---\ninclude: more.yml\n$[[ inputs.name ]]: { script: x }';
    ci.stubs.addFile(other, 'templates/lint/template.yml', component);
    ci.stubs.addFile(other, 'more.yml', 'more: { script: y }');
    expect(await s.names()).toEqual(['lint', 'more']);
    for (const version of ['~latest', 'main', '1.10.0']) {
      ci.stubs.setFile(s.project, include(version));
      expect(await s.names()).toEqual(['lint', 'more']);
    }
    expect(new Set(asked)).toEqual(new Set(['^1.', '']));
    expect(await ci.call(lintOfProject, { id: '1' }, s.context)).toMatchObject({ valid: true });
  });

  it('of internal projects are not for external users', async () => {
    const path = `shared-${uniqueId()}`;
    const s = scene(`include: { project: group/${path}, file: c.yml }`);
    const other = ci.stubs.project({ path, fullPath: `group/${path}`, visibility: 'internal' });
    ci.stubs.addFile(other, 'c.yml', 'c: { script: x }');
    expect(await s.names()).toEqual(['c']);
    const contractor = ci.stubs.as(ci.stubs.user('contractor', { isExternal: true }), s.project);
    await expect(ci.call(createPipeline, { id: '1', ref: 'main' }, contractor)).rejects.toMatchObject(
      refused('not found or access denied'),
    );
    expect(await ci.call(lintOfProject, { id: '1' }, contractor)).toMatchObject({ valid: false, merged_yaml: null });
  });

  it('at an invalid commit are refused with a reason', async () => {
    const path = `own-${uniqueId()}`;
    const file = `include: { project: group/${path}, ref: "${'a'.repeat(64)}", file: a.yml }`;
    const s = scene(file, { path, fullPath: `group/${path}` });
    await expect(s.names()).rejects.toMatchObject(refused(`reference \`${'a'.repeat(64)}\` does not exist!`));
  });

  it('have errors without the masked variables in their addresses', async () => {
    const s = scene('include: { remote: "http://127.0.0.1:9/$NAME?token=$TOKEN" }');
    const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), s.project, Access.Maintainer);
    const keep = (key: string, value: string, masked: boolean) =>
      ci.call(createProjectVariable, { id: '1', key, value, masked }, maintainer);
    await keep('TOKEN', 'a-long-secret', true);
    await keep('NAME', 'shared.yml', false);
    await expect(s.names()).rejects.toMatchObject(refused('http://127.0.0.1:9/shared.yml?token=[MASKED]`'));
  });

  it.each([
    ['include: gone.yml', 'Local file `gone.yml` does not exist!'],
    ['include: { template: $NONE }', 'Template file `` is not a valid location!'],
    ['include: { template: Gone }', 'Template file `Gone` is not a valid location!'],
    ['include: { project: group/nowhere, file: a.yml }', 'Project `group/nowhere` not found or access denied!'],
    ['include: http://127.0.0.1:9/a.yml', 'Remote file `http://127.0.0.1:9/a.yml` could not be fetched'],
    ['include: { remote: "file:///etc/passwd" }', 'does not have a valid address!'],
  ])('of %s are refused with the reason', async (file, reason) => {
    await expect(scene(file).names()).rejects.toMatchObject(refused(reason));
  });
});

describe('lint', () => {
  it('returns the merged file and its jobs', async () => {
    const s = scene('include: part.yml\njob: { script: x, environment: production }');
    ci.stubs.addFile(s.project, 'part.yml', 'part: { script: y, needs: [job] }');
    const linted = await ci.call(lintOfProject, { id: '1', include_jobs: true }, s.context);
    expect(linted).toMatchObject({ valid: true, errors: [], warnings: [] });
    expect(linted.merged_yaml).toContain('part:\n  script: y\n');
    expect(linted.jobs).toMatchObject([
      { name: 'part', stage: 'test', needs: [{ name: 'job' }] },
      { name: 'job', environment: 'production', script: ['x'] },
    ]);
  });

  it('evaluates rules only in a dry run', async () => {
    const s = scene('job: { script: x }');
    const content = 'a: { script: x, rules: [{ if: $CI_COMMIT_BRANCH == "other" }] }\nb: { script: x }';
    const namesOf = async (over: object) => {
      const linted = await ci.call(lintInProject, { id: '1', content, include_jobs: true, ...over }, s.context);
      return linted.jobs!.map(({ name }) => name);
    };
    expect(await namesOf({})).toEqual(['a', 'b']);
    expect(await namesOf({ dry_run: true })).toEqual(['b']);
    expect(await namesOf({ dry_run: true, ref: 'other' })).toEqual(['a', 'b']);
    const gone = await ci.call(lintInProject, { id: '1', content, dry_run: true, ref: 'gone' }, s.context);
    expect(gone).toMatchObject({ valid: false, errors: ['Reference not found'] });
  });

  it('returns the errors of the file', async () => {
    const s = scene('job: { script: x }');
    const broken = await ci.call(lintInProject, { id: '1', content: 'a: { stage: x, script: y }' }, s.context);
    expect(broken).toMatchObject({ valid: false, errors: [expect.stringContaining('chosen stage does not exist')] });
    expect(broken).not.toHaveProperty('jobs');
    ci.stubs.setFile(s.project, null);
    expect(await ci.call(lintOfProject, { id: '1' }, s.context)).toMatchObject({ valid: false });
  });

  it('looks at a text without a project', async () => {
    const signedIn = contextOf({ caller: ci.stubs.user('reader') });
    const content = 'job: { script: x }';
    expect(await ci.call(lintText, { content }, signedIn)).toMatchObject({ status: 'valid', merged_yaml: null });
    const shown = await ci.call(lintText, { content, include_merged_yaml: true }, signedIn);
    expect(shown).toMatchObject({ valid: true, merged_yaml: 'job:\n  script: x\n' });
    const included = await ci.call(lintText, { content: 'include: a.yml' }, signedIn);
    expect(included).toMatchObject({ status: 'invalid', errors: ['Files can be included in projects only'] });
  });
});

it('adds the variables of its environment to a job', async () => {
  const s = scene(
    'job: { script: x, environment: { name: review/$PLACE/$GIVEN, url: "https://x" }, variables: { PLACE: sea } }',
  );
  const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), s.project, Access.Maintainer);
  const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
  const runner = await ci.call(registerRunner, { token }, contextOf({}));
  await ci.call(createPipeline, { id: '1', ref: 'main', variables: [{ key: 'GIVEN', value: 'side' }] }, s.context);
  const { variables } = (await ci.call(requestJob, { token: runner.token }, contextOf({})))!;
  const values = Object.fromEntries(variables.map(({ key, value }) => [key, value]));
  expect(values).toMatchObject({ CI_ENVIRONMENT_NAME: 'review/sea/side', CI_ENVIRONMENT_URL: 'https://x' });
});
