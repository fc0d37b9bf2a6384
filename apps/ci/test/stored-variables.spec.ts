import {
  Access,
  commonErrors,
  createGroupVariable,
  createInstanceVariable,
  createPipeline,
  createProjectVariable,
  deleteInstanceVariable,
  deleteProjectVariable,
  getGroupVariable,
  getInstanceVariable,
  getProjectVariable,
  groupDeleted,
  listGroupVariables,
  listInstanceVariables,
  listPipelineJobs,
  listProjectVariables,
  projectDeleted,
  projectErrors,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
  updateInstanceVariable,
  updateProjectVariable,
  variableErrors,
} from '@moothall/contracts';
import { contextOf, eventually, groupNamed, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { StoredVariable } from '../src/variable/stored-variable.schema';
import { CiUnderTest } from './ci-under-test';

describe('stored variables', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = (file?: string) => {
    const group = groupNamed('group');
    const above = groupNamed('above');
    const project = ci.stubs.project({ groupIds: [group.id, above.id] }, file);
    const maintainer = ci.stubs.user('maintainer');
    const context = ci.stubs.as(maintainer, project, Access.Maintainer);
    const ofGroup = (one: typeof group) =>
      contextOf({ caller: maintainer, group: { ...one, accessLevel: Access.Owner } });
    const admin = contextOf({ caller: ci.stubs.user('root', { isAdmin: true }) });
    const keep = (key: string, value: string, over = {}) =>
      ci.call(createProjectVariable, { id: '1', key, value, ...over }, context);
    const take = async (ref = 'main') => {
      const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, context);
      const runner = await ci.call(registerRunner, { token }, contextOf({}));
      await ci.call(createPipeline, { id: '1', ref }, context);
      const { variables } = (await ci.call(requestJob, { token: runner.token }, contextOf({})))!;
      return new Map(variables.map((variable) => [variable.key, variable]));
    };
    return { group, above, project, context, ofGroup, admin, keep, take };
  };
  const refusal = (code: string, message?: object) => ({ value: { code, ...(message && { message }) } });
  const invalid = (message: object) => refusal(commonErrors.invalidRecord.code, message);

  it('are created, read, changed and deleted, and stored encrypted', async () => {
    const s = scene();
    const made = await s.keep('KEY', 'secret-value', { masked: true, description: 'Of the door' });
    expect(made).toEqual({
      key: 'KEY',
      value: 'secret-value',
      variable_type: 'env_var',
      protected: false,
      masked: true,
      raw: false,
      environment_scope: '*',
      description: 'Of the door',
      hidden: false,
    });
    const one = { id: '1', key: 'KEY' };
    const changed = await ci.call(
      updateProjectVariable,
      { ...one, value: 'another-value', protected: true },
      s.context,
    );
    expect(changed).toEqual({ ...made, value: 'another-value', protected: true });
    expect(await ci.call(getProjectVariable, one, s.context)).toEqual(changed);
    expect(await ci.call(listProjectVariables, { id: '1' }, s.context)).toEqual({ items: [changed], total: 1 });
    const model: Model<StoredVariable> = ci.under.running.app.get(getModelToken('KeptVariable'), {
      strict: false,
    });
    expect(JSON.stringify(await model.find({ owner: `project ${s.project.id}` }).lean())).not.toContain(
      'another-value',
    );
    await ci.call(deleteProjectVariable, one, s.context);
    await expect(ci.call(getProjectVariable, one, s.context)).rejects.toMatchObject(
      refusal(variableErrors.notFound.code),
    );
  });

  it('exist once for each scope, and requests select one by its scope', async () => {
    const s = scene();
    await s.keep('KEY', 'all');
    await s.keep('KEY', 'one', { environment_scope: 'production' });
    await expect(s.keep('KEY', 'again')).rejects.toMatchObject(invalid({ key: ['(KEY) has already been taken'] }));
    const one = { id: '1', key: 'KEY' };
    await expect(ci.call(getProjectVariable, one, s.context)).rejects.toMatchObject(
      refusal(variableErrors.ambiguous.code),
    );
    const filter = { environment_scope: 'production' };
    expect(await ci.call(getProjectVariable, { ...one, filter }, s.context)).toMatchObject({ value: 'one' });
    await expect(
      ci.call(updateProjectVariable, { ...one, filter, environment_scope: '*' }, s.context),
    ).rejects.toMatchObject(invalid({ key: ['(KEY) has already been taken'] }));
    await ci.call(deleteProjectVariable, { ...one, filter }, s.context);
    expect(await ci.call(getProjectVariable, one, s.context)).toMatchObject({ value: 'all' });
  });

  it('are shown without their value if they are hidden, and stay masked', async () => {
    const s = scene('job: { script: x }');
    const made = await s.keep('KEY', 'secret-value', { masked_and_hidden: true });
    expect(made).toMatchObject({ value: null, masked: true, hidden: true });
    const one = { id: '1', key: 'KEY' };
    expect(await ci.call(getProjectVariable, one, s.context)).toEqual(made);
    expect((await ci.call(listProjectVariables, { id: '1' }, s.context)).items).toEqual([made]);
    const changed = await ci.call(updateProjectVariable, { ...one, value: 'another-value' }, s.context);
    expect(changed).toMatchObject({ value: null, hidden: true });
    await expect(ci.call(updateProjectVariable, { ...one, masked: false }, s.context)).rejects.toMatchObject(
      invalid({ masked: ['must stay on if it is hidden'] }),
    );
    await expect(s.keep('SHORT', 'short', { masked_and_hidden: true })).rejects.toMatchObject(
      invalid({ value: ['is invalid'] }),
    );
    expect((await s.take()).get('KEY')).toMatchObject({ value: 'another-value', masked: true });
    const inGroup = { id: 'group', key: 'KEY', value: 'secret-value', masked_and_hidden: true };
    expect(await ci.call(createGroupVariable, inGroup, s.ofGroup(s.group))).toMatchObject({
      value: null,
      hidden: true,
    });
  });

  it('cannot be used in names of pipelines or jobs if they are masked', async () => {
    const input = 'spec: { inputs: { name: { default: "of $KEY$SHOWN" } } }';
    const job = '"job $[[ inputs.name | expand_vars ]]": { script: x }';
    const s = scene(`${input}\n---\nworkflow: { name: "build of $KEY$SHOWN" }\n${job}`);
    await s.keep('KEY', 'secret-value', { masked: true });
    await s.keep('SHOWN', 'all');
    const variables = await s.take();
    expect(variables.get('KEY')).toMatchObject({ value: 'secret-value' });
    expect(variables.get('CI_PIPELINE_NAME')).toMatchObject({ value: 'build of all' });
    expect(variables.get('CI_JOB_NAME')).toMatchObject({ value: 'job of all' });
  });

  it('refuse invalid keys, and values that cannot be masked, also in concurrent partial updates', async () => {
    const s = scene();
    await expect(s.keep('no-key', 'x')).rejects.toMatchObject(
      invalid({ key: ["can contain only letters, digits and '_'."] }),
    );
    await expect(s.keep('KEY', 'short', { masked: true })).rejects.toMatchObject(invalid({ value: ['is invalid'] }));
    await s.keep('KEY', 'long-enough');
    const one = { id: '1', key: 'KEY' };
    const both = await Promise.allSettled([
      ci.call(updateProjectVariable, { ...one, masked: true }, s.context),
      ci.call(updateProjectVariable, { ...one, value: 'short' }, s.context),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('are added to jobs: the nearest owner wins, below variables of the pipeline, above those of the file', async () => {
    const s = scene('variables: { OF_FILE: file, GIVEN: file }\njob: { script: x, variables: { KEPT: file } }');
    await ci.call(createInstanceVariable, { key: 'DEEP', value: 'instance' }, s.admin);
    await ci.call(createGroupVariable, { id: '1', key: 'DEEP', value: 'above' }, s.ofGroup(s.above));
    await ci.call(createGroupVariable, { id: '1', key: 'DEEP', value: 'group' }, s.ofGroup(s.group));
    await s.keep('KEPT', 'project-value', { masked: true });
    await s.keep('FILE', 'content', { variable_type: 'file' });
    await s.keep('GUARDED', 'protected', { protected: true });
    await s.keep('ELSEWHERE', 'scoped', { environment_scope: 'production' });
    const variables = await s.take();
    expect(variables.get('DEEP')).toMatchObject({ value: 'group', public: false, masked: false });
    expect(variables.get('KEPT')).toMatchObject({ value: 'project-value', masked: true });
    expect(variables.get('FILE')).toMatchObject({ value: 'content', file: true });
    expect(variables.get('OF_FILE')).toMatchObject({ value: 'file', public: true });
    expect(variables.has('GUARDED')).toBe(false);
    expect(variables.has('ELSEWHERE')).toBe(false);
    ci.stubs.protect(s.project, 'stable');
    expect((await s.take('stable')).get('GUARDED')).toMatchObject({ value: 'protected' });
    await ci.call(deleteInstanceVariable, { key: 'DEEP' }, s.admin);
  });

  it('are seen by rules', async () => {
    const s = scene('job: { script: x, rules: [{ if: $MODE == "full" }] }\nother: { script: x }');
    await s.keep('MODE', 'full');
    const { id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, s.context);
    const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: id }, s.context);
    expect(items.map(({ name }) => name).sort()).toEqual(['job', 'other']);
  });

  it('cannot be changed in an archived project', async () => {
    const s = scene();
    await s.keep('KEY', 'x');
    const archived = { ...s.context, project: { ...s.context.project!, isArchived: true } };
    const one = { id: '1', key: 'KEY' };
    for (const change of [
      ci.call(createProjectVariable, { ...one, key: 'OTHER', value: 'x' }, archived),
      ci.call(updateProjectVariable, { ...one, value: 'y' }, archived),
      ci.call(deleteProjectVariable, one, archived),
    ]) {
      await expect(change).rejects.toMatchObject(refusal(projectErrors.archived.code));
    }
    expect(await ci.call(getProjectVariable, one, archived)).toMatchObject({ value: 'x' });
  });

  it('of the instance have no environment scope', async () => {
    const { admin } = scene();
    const key = `KEY_${uniqueId()}`;
    const made = await ci.call(createInstanceVariable, { key, value: 'x' }, admin);
    expect(made).not.toHaveProperty('environment_scope');
    expect(await ci.call(updateInstanceVariable, { key, value: 'y' }, admin)).toEqual({ ...made, value: 'y' });
    expect(await ci.call(getInstanceVariable, { key }, admin)).toMatchObject({ value: 'y' });
    expect((await ci.call(listInstanceVariables, {}, admin)).items.map((one) => one.key)).toContain(key);
    await ci.call(deleteInstanceVariable, { key }, admin);
  });

  it('are deleted with their project or group', async () => {
    const s = scene();
    await s.keep('KEY', 'x');
    await ci.call(createGroupVariable, { id: '1', key: 'KEY', value: 'x' }, s.ofGroup(s.group));
    expect(await ci.call(getGroupVariable, { id: '1', key: 'KEY' }, s.ofGroup(s.group))).toMatchObject({ value: 'x' });
    await ci.under.emit(projectDeleted, { project_id: s.project.id, full_path: 'group/app', storage: 'default' });
    await ci.under.emit(groupDeleted, { group_id: s.group.id, full_path: 'group' });
    await eventually(async () => (await ci.call(listProjectVariables, { id: '1' }, s.context)).total === 0);
    await eventually(async () => (await ci.call(listGroupVariables, { id: '1' }, s.ofGroup(s.group))).total === 0);
  });
});
