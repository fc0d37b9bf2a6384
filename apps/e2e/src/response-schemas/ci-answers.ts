import { root, uniqueName } from '../server/connection';
import type { Answers } from './answers';

/** Pipeline schedules with their variables, and pipelines. */
export async function askCi(answers: Answers): Promise<void> {
  const { id } = await root.Projects.create({ name: uniqueName('ci'), initializeWithReadme: true });
  const content = JSON.stringify({ build: { script: ['true'] } });
  await root.RepositoryFiles.create(id, '.gitlab-ci.yml', 'main', content, 'Add a job');
  await askPipelines(answers, `/projects/${id}`);
  await askSchedules(answers, `/projects/${id}`);
}

async function askPipelines(answers: Answers, project: string): Promise<void> {
  const { id } = await answers.post('pipeline/detail.json', `${project}/pipeline`, { ref: 'main' });
  await answers.take('pipelines.json', `${project}/pipelines`);
  await answers.takeEach('pipeline/basic.json', `${project}/pipelines`);
  await answers.take('pipeline/detail.json', `${project}/pipelines/${id}`);
  await answers.take('pipeline.json', `${project}/pipelines/${id}`);
  await answers.post('pipeline/detail.json', `${project}/pipelines/${id}/cancel`, {});
  await answers.take('pipeline/detail.json', `${project}/pipelines/latest?ref=main`);
}

async function askSchedules(answers: Answers, project: string): Promise<void> {
  const schedules = `${project}/pipeline_schedules`;
  const daily = { description: 'Daily', ref: 'main', cron: '0 1 * * *' };
  const one = 'pipeline_schedule.json';
  const { id } = await answers.post(one, schedules, daily);
  const other = await answers.post(one, schedules, { ...daily, active: false });
  const variable = { key: 'KEY', value: 'value' };
  await answers.post('pipeline_schedule_variable.json', `${schedules}/${id}/variables`, variable);
  await answers.put('pipeline_schedule_variable.json', `${schedules}/${id}/variables/KEY`, { value: 'other' });
  await answers.take('pipeline_schedules.json', schedules);
  await answers.take(one, `${schedules}/${id}`);
  await answers.put(one, `${schedules}/${id}`, { cron: '0 2 * * *' });
  await answers.post(one, `${schedules}/${id}/take_ownership`, {});
  await answers.take('pipeline_schedule_variable.json', `${schedules}/${id}/variables/KEY`, { method: 'DELETE' });
  await answers.take(one, `${schedules}/${other.id}`, { method: 'DELETE' });
}
