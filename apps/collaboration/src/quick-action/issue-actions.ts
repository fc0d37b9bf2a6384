import { Access, isDay } from '@moothall/contracts';
import { parseTime } from '../issuable/human-time';
import type { IssueDocument } from '../issue/issue.schema';
import { editorActions, issuableActions, personalActions, relabel, unlabelAll } from './issuable-actions';
import { action, change, type QuickAction, type QuickActions } from './quick-action';

type Action = QuickAction<IssueDocument>;

/** @param keeps whether current assignees stay */
const assign = (keeps: boolean): Action => ({
  who: 'planner',
  async prepare(argument, { named, project, caller }) {
    if (!project) return undefined;
    const { found } = await named.findPeople(argument, caller);
    const ids = found.map(({ id }) => id);
    const allowed = await named.assignees.filterAllowed(project, ids);
    if (allowed.length === 0) return undefined;
    const people = found.flatMap(({ id, username }) => (allowed.includes(id) ? `@${username}` : [])).join(', ');
    return (current) => {
      const assigneeIds = named.assignees.combine(keeps ? current.assigneeIds : [], allowed);
      return { patch: { assigneeIds }, changes: { assignee_ids: assigneeIds }, summary: `Assigned ${people}.` };
    };
  },
});

/** The named users, or all. */
const unassign: Action = {
  who: 'planner',
  async prepare(argument, { named, caller }) {
    const { count, found } = await named.findPeople(argument, caller);
    if (found.length === 0 && count > 0) return undefined;
    const ids = found.map(({ id }) => id);
    const people = found.map(({ username }) => ` @${username}`).join(',');
    return (current) => {
      const assigneeIds = count > 0 ? current.assigneeIds.filter((id) => !ids.includes(id)) : [];
      return { patch: { assigneeIds }, changes: { assignee_ids: assigneeIds }, summary: `Removed assignee${people}.` };
    };
  },
};

const milestone: Action = {
  who: 'planner',
  async prepare(argument, { named, owners }) {
    const found = await named.findMilestone(argument, owners);
    if (!found) return undefined;
    const { _id, title } = found;
    return change({ milestoneId: _id }, { milestone_id: _id }, `Set the milestone to %${title}.`);
  },
};

const iteration: Action = {
  who: 'planner',
  async prepare(argument, { named, project }) {
    const found = project && (await named.findIteration(argument, project));
    if (!found) return undefined;
    const { _id, title, startDate, dueDate } = found;
    const name = title ?? `${startDate} - ${dueDate}`;
    return change({ iterationId: _id }, { iteration_id: _id }, `Set the iteration to *iteration:"${name}".`);
  },
};

const due = action<IssueDocument>('planner', (_, day) =>
  isDay(day)
    ? { patch: { dueDate: day }, changes: { due_date: day }, summary: `Set the due date to ${day}.` }
    : undefined,
);

const weight = action<IssueDocument>('planner', (_, argument) => {
  if (!/^\d{1,9}$/.test(argument)) return undefined;
  const given = Number(argument);
  return { patch: { weight: given }, changes: { weight: given }, summary: `Set weight to ${given}.` };
});

const estimate = action<IssueDocument>('planner', (_, argument) => {
  const timeEstimate = parseTime(argument);
  if (timeEstimate === undefined) return undefined;
  return {
    patch: { silent: { timeEstimate } },
    changes: { time_estimate: timeEstimate },
    summary: `Set time estimate to ${argument}.`,
  };
});

const spend = action<IssueDocument>('planner', (issue, argument) => {
  const duration = parseTime(argument);
  if (duration === undefined) return undefined;
  return {
    patch: { silent: { timeSpent: issue.timeSpent + duration } },
    changes: { spend_time: { duration } },
    summary: `Added ${argument} spent time.`,
  };
});

const planned = (...effect: Parameters<typeof change>): Action => action('planner', change(...effect));

const edited = editorActions<IssueDocument>({
  noun: 'issue',
  closing: () => ({}),
  reopening: () => ({}),
  titling: () => ({}),
});

export const issueActions: QuickActions<IssueDocument> = {
  editorLevel: Access.Reporter,
  authorsEdit: true,
  actions: {
    ...edited.actions,
    ...issuableActions,
    ...personalActions('issue'),
    unlabel: unlabelAll,
    remove_label: unlabelAll,
    relabel,
    assign: assign(true),
    reassign: assign(false),
    unassign,
    remove_assignee: unassign,
    milestone,
    remove_milestone: planned({ milestoneId: null }, { milestone_id: null }, 'Removed the milestone.'),
    iteration,
    remove_iteration: planned({ iterationId: null }, { iteration_id: null }, 'Removed the iteration.'),
    due,
    remove_due_date: planned({ dueDate: null }, { due_date: null }, 'Removed the due date.'),
    weight,
    clear_weight: planned({ weight: null }, { weight: null }, 'Cleared weight.'),
    confidential: planned({ confidential: true }, { confidential: true }, 'Made this issue confidential.'),
    estimate,
    remove_estimate: planned({ silent: { timeEstimate: 0 } }, { time_estimate: 0 }, 'Removed time estimate.'),
    spend,
    remove_time_spent: planned({ silent: { timeSpent: 0 } }, { spend_time: 'reset' }, 'Removed spent time.'),
  },
};
