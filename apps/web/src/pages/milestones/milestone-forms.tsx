import type { GroupRef, ProjectRef } from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import type { ParentPage } from '../../page/page';
import { Form, Was } from '../../parts/form';
import { findMilestone } from './find-milestone';
import { MilestoneFields, milestoneValues, sentMilestone } from './milestone-fields';
import { type MilestonesOf, ofGroup, ofProject } from './milestone-operations';

/** A form for a new milestone. */
const newPageOf = <T extends { id: number }>({ operations, pathIn, within }: MilestonesOf<T>): ParentPage<T> => ({
  at: '/milestones/new',
  async show(visit, parent, address) {
    if (!(await visit.may(operations.create, parent))) return undefined;
    return within(visit, parent, {
      title: 'New milestone',
      body: (
        <Form visit={visit} address={address} name="new-milestone">
          <MilestoneFields />
          <button type="submit">Create milestone</button>
        </Form>
      ),
    });
  },
  forms: {
    'new-milestone': async (visit, parent, _address, sent) => {
      const { iid } = await visit.submit(operations.create, { id: String(parent.id), ...sentMilestone(sent) });
      return `${pathIn(parent)}/${iid}`;
    },
  },
});

/** A form that changes a milestone. */
const editPageOf = <T extends { id: number }>({ operations, pathIn, within }: MilestonesOf<T>): ParentPage<T> => ({
  at: '/milestones/:iid/edit',
  async show(visit, parent, address) {
    if (!(await visit.may(operations.update, parent))) return undefined;
    const milestone = await findMilestone(visit, operations, parent, address);
    const values = milestoneValues(milestone);
    return within(visit, parent, {
      title: `Edit milestone ${milestone.title}`,
      body: (
        <Form visit={visit} address={address} name="milestone">
          <Was values={values} />
          <MilestoneFields values={values} />
          <button type="submit">Save</button>
          <a href={`${pathIn(parent)}/${milestone.iid}`}>Cancel</a>
        </Form>
      ),
    });
  },
  forms: {
    milestone: async (visit, parent, address, sent) => {
      const milestone = await findMilestone(visit, operations, parent, address);
      const changes = changesOf(sent, sentMilestone(sent), milestoneValues(milestone));
      const one = { id: String(parent.id), milestone_id: milestone.id };
      await visit.submitChanges(operations.update, one, changes);
      return `${pathIn(parent)}/${milestone.iid}`;
    },
  },
});

export const newMilestonePage = newPageOf<ProjectRef>(ofProject);
export const editMilestonePage = editPageOf<ProjectRef>(ofProject);
export const newGroupMilestonePage = newPageOf<GroupRef>(ofGroup);
export const editGroupMilestonePage = editPageOf<GroupRef>(ofGroup);
