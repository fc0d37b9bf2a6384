import {
  createScheduleVariable,
  deleteSchedule,
  deleteScheduleVariable,
  getSchedule,
  updateSchedule,
} from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { branchNames } from '../../parts/branch-names';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { changesIn, FieldList, valuesOf } from '../../parts/field-list';
import { Form, Was } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { scheduleFields } from './schedule-fields';
import { readScheduleRights, scheduleAt, schedulesOf } from './schedule-rules';
import { ScheduleVariables } from './schedule-variables';

/** Forms that change a pipeline schedule and its variables, and delete it. */
export const editSchedulePage: ProjectPage = {
  at: '/pipeline_schedules/:schedule/edit',
  async show(visit, project, address) {
    const [schedule, rights] = await Promise.all([
      visit.ask(getSchedule, scheduleAt(project, address)),
      readScheduleRights(visit, project),
    ]);
    if (!rights.mayChange(schedule)) return undefined;
    const fields = scheduleFields(await branchNames(visit, project));
    const values = valuesOf(fields, schedule);
    const form = { visit, address };
    return inProject(visit, project, {
      title: 'Edit schedule',
      body: (
        <>
          <Form {...form} name="schedule">
            <Was values={values} />
            <FieldList fields={fields} values={values} />
            <button type="submit">Save</button>
            <a href={schedulesOf(project)}>Cancel</a>
          </Form>
          <ScheduleVariables {...form} variables={schedule.variables ?? []} />
          <h2>Delete</h2>
          <ConfirmedAction
            {...form}
            name="delete"
            word="Delete schedule"
            consequence="The schedule is deleted. Its pipelines stay."
          />
        </>
      ),
    });
  },
  forms: {
    schedule: async (visit, project, address, sent) => {
      const asked = scheduleAt(project, address);
      const fields = scheduleFields([]);
      const changes = changesIn(fields, sent, await visit.ask(getSchedule, asked));
      await visit.submitChanges(updateSchedule, asked, changes);
      return schedulesOf(project);
    },
    delete: async (visit, project, address) => {
      await visit.ask(deleteSchedule, scheduleAt(project, address));
      return schedulesOf(project);
    },
    'new-variable': async (visit, project, address, sent) => {
      const asked = scheduleAt(project, address);
      const [key, value, variable_type] = [sent.text('key'), sent.text('value'), sent.text('variable_type')];
      await visit.submit(createScheduleVariable, { ...asked, key, value, variable_type });
      return `${schedulesOf(project)}/${asked.pipeline_schedule_id}/edit`;
    },
    'delete-variable': async (visit, project, address, sent) => {
      const asked = scheduleAt(project, address);
      await visit.submit(deleteScheduleVariable, { ...asked, key: sent.text('of') });
      return `${schedulesOf(project)}/${asked.pipeline_schedule_id}/edit`;
    },
  },
};
