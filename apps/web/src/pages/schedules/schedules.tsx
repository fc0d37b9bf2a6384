import { listSchedules, type ProjectRef, playSchedule, takeScheduleOwnership } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import type { Address, ProjectPage } from '../../page/page';
import { Action } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { shortened } from '../../parts/shortened';
import { Moment } from '../../parts/time';
import { UserLink } from '../../parts/user-link';
import type { Visit } from '../../visit/visits';
import { readScheduleRights, type Schedule, type ScheduleRights, schedulesOf } from './schedule-rules';

/** The pipeline schedules of a project, with forms that run them now. */
export const schedulesPage: ProjectPage = {
  at: '/pipeline_schedules',
  async show(visit, project, address) {
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
    const [{ items }, rights] = await Promise.all([
      visit.ask(listSchedules, asked),
      readScheduleRights(visit, project),
    ]);
    return inProject(visit, project, {
      title: 'Pipeline schedules',
      body: (
        <>
          {rights.mayCreate && <a href={`${schedulesOf(project)}/new`}>New schedule</a>}
          {items.length === 0 && <p class="dim">There are no schedules.</p>}
          <ul class="list">
            {items.map((schedule) => (
              <li key={schedule.id}>
                <ScheduleItem {...{ visit, project, address, rights, schedule }} />
              </li>
            ))}
          </ul>
          <Paging address={address} shown={items.length} />
        </>
      ),
    });
  },
  forms: {
    play: async (visit, project, _address, sent) => {
      await visit.submit(playSchedule, { id: String(project.id), pipeline_schedule_id: sent.text('of') });
      return `/${project.fullPath}/-/pipelines`;
    },
    take: async (visit, project, _address, sent) => {
      await visit.submit(takeScheduleOwnership, { id: String(project.id), pipeline_schedule_id: sent.text('of') });
      return schedulesOf(project);
    },
  },
};

interface ItemProps {
  visit: Visit;
  project: ProjectRef;
  address: Address;
  rights: ScheduleRights;
  schedule: Schedule;
}

const ScheduleItem = ({ visit, project, address, rights, schedule }: ItemProps) => {
  const form = { visit, address, of: String(schedule.id) };
  const name = withoutTurns(shortened(schedule.description));
  return (
    <>
      <ScheduleFacts schedule={schedule} />
      <div class="parts">
        {rights.mayCreate && <Action {...form} name="play" word={`Run ${name}`} look="quiet" />}
        {rights.mayTake(schedule) && <Action {...form} name="take" word={`Take ownership of ${name}`} look="quiet" />}
        {rights.mayChange(schedule) && <a href={`${schedulesOf(project)}/${schedule.id}/edit`}>Edit {name}</a>}
      </div>
    </>
  );
};

const ScheduleFacts = ({ schedule }: { schedule: Schedule }) => {
  const { description, ref, cron, cron_timezone, next_run_at, active, owner, deactivation_reason } = schedule;
  return (
    <>
      <p>
        <Named>{description}</Named>
        {!active && <span class="tag after">inactive</span>}
      </p>
      <p class="dim">
        <Named>{ref}</Named>, <code>{cron}</code> {cron_timezone}
        {active && next_run_at && (
          <>
            , next run <Moment at={next_run_at} />
          </>
        )}
        {owner && (
          <>
            , owner <UserLink user={owner} />
          </>
        )}
        {deactivation_reason && `. ${deactivation_reason}`}
      </p>
    </>
  );
};
