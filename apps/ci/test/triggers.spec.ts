import {
  Access,
  createTrigger,
  deleteTrigger,
  getTrigger,
  listPipelineVariables,
  listTriggers,
  pipelineErrors,
  runTrigger,
  triggerErrors,
  updateTrigger,
  userDeleted,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

describe('a trigger', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async (file?: string | null) => {
    const project = ci.stubs.project({}, file);
    const owner = ci.stubs.user('owner');
    const context = ci.stubs.as(owner, project, Access.Maintainer);
    const trigger = await ci.call(createTrigger, { id: '1', description: 'from outside' }, context);
    const run = (over = {}) => {
      const input = { id: String(project.id), ref: 'main', token: trigger.token, ...over };
      return ci.call(runTrigger, input, contextOf({}));
    };
    return { project, owner, context, trigger, target: { id: '1', trigger_id: trigger.id }, run };
  };
  const unknown = { value: { code: triggerErrors.unknownToken.code } };

  it("runs pipelines in its owner's name, with variables, by id or path of the project", async () => {
    const s = await scene();
    const pipeline = await s.run({ variables: { MODE: 'full' } });
    expect(pipeline).toMatchObject({ source: 'trigger', ref: 'main', user: { username: 'owner' } });
    const variables = await ci.call(listPipelineVariables, { id: '1', pipeline_id: pipeline.id }, s.context);
    expect(variables).toEqual([{ key: 'MODE', value: 'full', variable_type: 'env_var' }]);
    expect(await s.run({ id: s.project.fullPath.toUpperCase() })).toMatchObject({ source: 'trigger' });
    expect(await ci.call(getTrigger, s.target, s.context)).toMatchObject({ last_used: expect.any(String) });
  });

  it('works only for its project, and while its owner may run pipelines there', async () => {
    const s = await scene();
    const other = await scene();
    await expect(s.run({ id: String(other.project.id) })).rejects.toMatchObject(unknown);
    await expect(s.run({ token: 'glptt-unknown' })).rejects.toMatchObject(unknown);
    ci.stubs.setLevel(s.owner, s.project, Access.Reporter);
    await expect(s.run()).rejects.toMatchObject(unknown);
    ci.stubs.setLevel(s.owner, s.project, Access.Maintainer);
    const { features } = s.project;
    ci.stubs.replace({ ...s.project, features: { ...features, builds: 'disabled' } });
    await expect(s.run()).rejects.toMatchObject(unknown);
  });

  it('returns the reason if no pipeline can be created, and creates none', async () => {
    const s = await scene(null);
    await expect(s.run()).rejects.toMatchObject({
      value: { code: pipelineErrors.invalid.code, message: { base: ['Missing CI config file'] } },
    });
    await expect(s.run({ variables: { 'no-key': 'x' } })).rejects.toMatchObject({
      value: { message: { 'variables.key': ["can contain only letters, digits and '_'."] } },
    });
  });

  it('refuses values that other variables cannot have', async () => {
    const s = await scene();
    await expect(s.run({ variables: { KEY: 'x'.repeat(10_001) } })).rejects.toThrow('are too long');
  });

  it('shows its full token only to its owner', async () => {
    const s = await scene();
    expect(s.trigger).toMatchObject({ description: 'from outside', token: expect.stringMatching(/^glptt-/) });
    const other = ci.stubs.as(ci.stubs.user('other'), s.project, Access.Maintainer);
    const { items } = await ci.call(listTriggers, { id: '1' }, other);
    expect(items).toMatchObject([{ token: 'glpt', owner: { username: 'owner' } }]);
    const changed = await ci.call(updateTrigger, { ...s.target, description: 'other' }, s.context);
    expect(changed).toMatchObject({ description: 'other', token: s.trigger.token });
    await ci.call(deleteTrigger, s.target, s.context);
    await expect(s.run()).rejects.toMatchObject(unknown);
  });

  it('is deleted with its owner', async () => {
    const s = await scene();
    const ghost = ci.stubs.user('ghost');
    const gone = { user_id: s.owner.id, username: 'owner', hard_delete: false, ghost_user_id: ghost.id };
    await ci.under.emit(userDeleted, gone);
    await eventually(async () => (await ci.call(listTriggers, { id: '1' }, s.context)).total === 0);
  });
});
