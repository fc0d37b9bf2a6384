import { createSchedule } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { branchNames } from '../../parts/branch-names';
import { FieldList, sentValues } from '../../parts/field-list';
import { Form } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { scheduleFields } from './schedule-fields';
import { schedulesOf } from './schedule-rules';

/** A form for a new pipeline schedule. */
export const newSchedulePage: ProjectPage = {
  at: '/pipeline_schedules/new',
  async show(visit, project, address) {
    if (!(await visit.may(createSchedule, project))) return undefined;
    const values = { ref: project.defaultBranch ?? '', cron_timezone: 'UTC', active: 'true' };
    return inProject(visit, project, {
      title: 'New schedule',
      body: (
        <Form visit={visit} address={address} name="new-schedule">
          <FieldList fields={scheduleFields(await branchNames(visit, project))} values={values} />
          <button type="submit">Create schedule</button>
          <a href={schedulesOf(project)}>Cancel</a>
        </Form>
      ),
    });
  },
  forms: {
    'new-schedule': async (visit, project, _address, sent) => {
      await visit.submit(createSchedule, { id: String(project.id), ...sentValues(scheduleFields([]), sent) });
      return schedulesOf(project);
    },
  },
};
