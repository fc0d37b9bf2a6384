import {
  Access,
  createFreezePeriod,
  createPipeline,
  deleteFreezePeriod,
  getFreezePeriod,
  listFreezePeriods,
  projectDeleted,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
  updateFreezePeriod,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

/** From the start of this minute until a day of each year that is far away. */
const forEver = { freeze_start: '* * * * *', freeze_end: '0 0 29 2 *' };

describe('a freeze period', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async () => {
    const rule = { if: '$CI_DEPLOY_FREEZE', when: 'never' };
    const file = JSON.stringify({ build: { script: 'x' }, deploy: { script: 'x', rules: [rule, { when: 'always' }] } });
    const project = ci.stubs.project({}, file);
    const as = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
    const add = (over = {}) => ci.call(createFreezePeriod, { id: '1', ...forEver, ...over }, as);
    const list = async () => (await ci.call(listFreezePeriods, { id: '1' }, as)).items;
    return { project, as, add, list };
  };

  it('is created, listed, changed and deleted', async () => {
    const s = await scene();
    const made = await s.add({ cron_timezone: 'Europe/Berlin' });
    expect(made).toMatchObject({ ...forEver, cron_timezone: 'Europe/Berlin' });
    const one = { id: '1', freeze_period_id: made.id };
    const changed = await ci.call(updateFreezePeriod, { ...one, freeze_end: '0 7 * * 1' }, s.as);
    expect(changed).toMatchObject({
      freeze_start: '* * * * *',
      freeze_end: '0 7 * * 1',
      cron_timezone: 'Europe/Berlin',
    });
    expect(await s.list()).toMatchObject([{ id: made.id }]);
    await ci.call(deleteFreezePeriod, one, s.as);
    await expect(ci.call(getFreezePeriod, one, s.as)).rejects.toMatchObject({
      value: { code: 'freeze_period.not_found' },
    });
  });

  it.each([
    { freeze_start: 'soon' },
    { freeze_end: '0 0 30 2 *' },
    { cron_timezone: 'Nowhere' },
    { freeze_start: `${'1,'.repeat(400)}1 * * * *`.repeat(3) },
  ])('is not %j', async (over) => {
    const s = await scene();
    await expect(s.add(over)).rejects.toThrow();
    const { id } = await s.add();
    const change = ci.call(updateFreezePeriod, { id: '1', freeze_period_id: id, ...over }, s.as);
    await expect(change).rejects.toThrow();
    expect(await s.list()).toMatchObject([forEver]);
  });

  it('applies to rules and jobs during its time', async () => {
    const s = await scene();
    const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, s.as);
    const runner = await ci.call(registerRunner, { token }, contextOf({}));
    const jobs = async () => {
      const pipeline = await ci.call(createPipeline, { id: '1', ref: 'main' }, s.as);
      return ci.pipelines
        .findById(pipeline.id)
        .lean()
        .then((found) => found!.jobs.map(({ name }) => name));
    };
    expect(await jobs()).toEqual(['build', 'deploy']);
    await s.add();
    const job = await ci.call(requestJob, { token: runner.token }, contextOf({}));
    expect(job!.variables).toContainEqual(expect.objectContaining({ key: 'CI_DEPLOY_FREEZE', value: 'true' }));
    expect(await jobs()).toEqual(['build']);
  });

  it('cannot be changed in an archived project, and is deleted with the project', async () => {
    const s = await scene();
    await s.add();
    const archived = { ...s.as, project: { ...s.as.project!, isArchived: true } };
    await expect(ci.call(createFreezePeriod, { id: '1', ...forEver }, archived)).rejects.toMatchObject({
      value: { code: 'project.archived' },
    });
    await ci.under.emit(projectDeleted, { project_id: s.project.id, full_path: 'group/app', storage: 'default' });
    await eventually(async () => (await s.list()).length === 0);
  });
});
