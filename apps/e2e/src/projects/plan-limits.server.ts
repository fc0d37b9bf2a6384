import { Gitlab } from '@gitbeaker/rest';
import { OwnServer } from '../server/own-server';
import { until } from '../server/until';

/* Plan limits take effect in the services that they concern. */

const server = new OwnServer();
beforeAll(() => server.start(), 120_000);
afterAll(() => server.stop());

const client = () => new Gitlab({ host: server.url, token: server.token });

const isRefused = (ask: () => Promise<unknown>) =>
  until('the limit to be held', () =>
    ask().then(
      () => false,
      () => true,
    ),
  );

it('are shown, changed and enforced', async () => {
  const { ApplicationPlanLimits, PackageRegistry, PipelineSchedules, Projects } = client();
  expect(await ApplicationPlanLimits.show({ planName: 'default' })).toMatchObject({
    ...{ ci_pipeline_schedules: 0, generic_packages_max_file_size: 5 * 1024 ** 3, helm_max_file_size: 5_242_880 },
  });
  await expect(ApplicationPlanLimits.show({ planName: 'gold' })).rejects.toThrow(/plan_name/);
  const { id } = await Projects.create({ name: 'limited', initializeWithReadme: true });
  const publish = (content: string) =>
    PackageRegistry.publish(id, 'app', '1.0', { content: new Blob([content]), filename: 'app.txt' });
  await publish('a text of some length');
  const changed = await ApplicationPlanLimits.edit('default', {
    ...{ genericPackagesMaxFileSize: 10, ciPipelineSchedules: 1, helmMaxFileSize: 1 },
  });
  expect(changed).toMatchObject({
    generic_packages_max_file_size: 10,
    ci_pipeline_schedules: 1,
    helm_max_file_size: 1,
  });
  await isRefused(() => publish('a text of some length'));
  await publish('short');
  const schedule = () => PipelineSchedules.create(id, 'nightly', 'main', '0 1 * * *');
  await schedule();
  await isRefused(schedule);
  const { length } = await PipelineSchedules.all(id);
  await ApplicationPlanLimits.edit('default', { ciPipelineSchedules: 0 });
  await until('the limit to be gone', () =>
    schedule().then(
      () => true,
      () => false,
    ),
  );
  expect(await PipelineSchedules.all(id)).toHaveLength(length + 1);
});
