import { Access, type Caller, isDay, type ProjectRef, userIdsByUsername } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Awards } from '../award/award.repository';
import { emojiNamed } from '../award/emoji-name';
import { Assignees } from '../issuable/assignees';
import { ChangeIssuable } from '../issuable/change-issuable';
import { parseTime } from '../issuable/human-time';
import { subscription } from '../issuable/issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import type { IssueDocument } from '../issue/issue.schema';
import { IssueKind } from '../issue/issue-kind';
import { Labels } from '../label/label.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import { ownersForProject } from '../parent/owner';
import { applyCommands, type Effect, type EffectOn, labelsIn } from './apply-commands';
import type { AppliedCommands, QuickCommand } from './quick-command';

interface Place {
  issue: IssueDocument;
  project: ProjectRef;
  caller: Caller;
}

type Effects = EffectOn<IssueDocument>;

/** Whatever the issue is. */
const always = (effect: Effect) => (): Effect => effect;

/** Commands of the author, too; all others are for reporters. */
const ownCommands = new Set(['close', 'reopen', 'title', 'subscribe', 'unsubscribe', 'award']);

export const issueCommands: ReadonlySet<string> = new Set([
  ...ownCommands,
  ...['label', 'unlabel', 'remove_label', 'relabel', 'assign', 'reassign', 'unassign', 'remove_assignee'],
  ...['milestone', 'remove_milestone', 'due', 'remove_due_date', 'weight', 'clear_weight', 'confidential'],
  ...['lock', 'unlock', 'estimate', 'remove_estimate', 'spend', 'remove_time_spent'],
]);

/** Does what `/close` and the like in a note ask for. See docs/api/notes.md#4. */
@Injectable()
export class IssueCommands {
  constructor(
    readonly changes: ChangeIssuable,
    readonly kind: IssueKind,
    private readonly labels: Labels,
    private readonly assignees: Assignees,
    private readonly awards: Awards,
    private readonly client: OperationClient,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
  ) {}

  apply(place: Place, commands: QuickCommand[]): Promise<AppliedCommands> {
    const prepare = async (command: QuickCommand) =>
      mayUse(place, command.name) ? this.prepare(place, command) : undefined;
    return applyCommands(this, place.issue, place.caller.id, commands, prepare);
  }

  private async prepare(place: Place, { name, argument }: QuickCommand): Promise<Effects | undefined> {
    switch (name) {
      case 'label':
      case 'unlabel':
      case 'remove_label':
      case 'relabel':
        return this.labelling(place, name, argument);
      case 'assign':
      case 'reassign':
      case 'unassign':
      case 'remove_assignee':
        return this.assigning(place, name, argument);
      case 'milestone':
        return this.milestone(place, argument);
      case 'award':
        return this.award(place, argument);
      case 'subscribe':
      case 'unsubscribe':
        return this.subscribe(place, name === 'subscribe');
      default:
        return (issue) => plainEffect(issue, name, argument);
    }
  }

  private async labelling({ project }: Place, name: string, argument: string): Promise<Effects | undefined> {
    const labels = await this.labels.findNamed(labelsIn(argument), ownersForProject(project));
    const ids = labels.map(({ _id }) => _id);
    const takesAll = argument === '' && name !== 'label';
    if (ids.length === 0 && !takesAll) return undefined;
    const titles = labels.map(({ title }) => `~${title}`).join(' ');
    if (name === 'label') {
      return always({
        patch: { addLabelIds: ids },
        changes: { add_label_ids: ids },
        summary: `Added ${titles} labels.`,
      });
    }
    if (name === 'relabel') {
      const summary = `Replaced all labels with ${titles}.`;
      return always({ patch: { labelIds: ids }, changes: { label_ids: ids }, summary });
    }
    return ({ labelIds }) => {
      const removed = takesAll ? labelIds : ids;
      const summary = takesAll ? 'Removed all labels.' : `Removed ${titles} labels.`;
      return { patch: { removeLabelIds: removed }, changes: { remove_label_ids: removed }, summary };
    };
  }

  private async assigning({ caller, project }: Place, name: string, argument: string): Promise<Effects | undefined> {
    const names = argument
      .split(/[\s,]+/)
      .flatMap((word) => (word === 'me' ? caller.username : word.replace(/^@/, '') || []));
    const found = names.length > 0 ? await this.client.call(userIdsByUsername, { usernames: names }) : [];
    const adds = name === 'assign' || name === 'reassign';
    const ids = found.map(({ id }) => id);
    const allowed = adds ? await this.assignees.filterAllowed(project, ids) : ids;
    if (allowed.length === 0 && (adds || names.length > 0)) return undefined;
    const people = found.flatMap(({ id, username }) => (allowed.includes(id) ? `@${username}` : [])).join(', ');
    return ({ assigneeIds: current }) => {
      const kept = name === 'assign' ? current : [];
      const removing = names.length > 0 ? current.filter((id) => !ids.includes(id)) : [];
      const assigneeIds = adds ? this.assignees.combine(kept, allowed) : removing;
      const summary = adds ? `Assigned ${people}.` : `Removed assignee ${people}.`.replace(' .', '.');
      return { patch: { assigneeIds }, changes: { assignee_ids: assigneeIds }, summary };
    };
  }

  private async milestone({ project }: Place, argument: string): Promise<Effects | undefined> {
    const title = argument.replace(/^%/, '').replace(/^"(.*)"$/, '$1');
    const owner = { $in: ownersForProject(project) };
    const found = await this.milestones.findOne({ owner, title }).lean<MilestoneDocument>();
    if (!found) return undefined;
    return always({
      patch: { milestoneId: found._id },
      changes: { milestone_id: found._id },
      summary: `Set the milestone to %${found.title}.`,
    });
  }

  private async award({ issue, caller }: Place, argument: string): Promise<Effects | undefined> {
    const name = emojiNamed(argument);
    if (!name || !(await this.awards.add(this.kind.model, issue._id, name, caller.id))) return undefined;
    return always({ patch: {}, changes: { emoji_award: name }, summary: `Toggled :${name}: emoji award.` });
  }

  private async subscribe({ issue, caller }: Place, wanted: boolean): Promise<Effects> {
    await this.kind.model.updateOne({ _id: issue._id }, subscription(issue, caller.id, wanted));
    const event = wanted ? 'subscribe' : 'unsubscribe';
    return always({
      patch: {},
      changes: { subscription_event: event },
      summary: `${wanted ? 'Subscribed to' : 'Unsubscribed from'} this issue.`,
    });
  }
}

function mayUse({ issue, project, caller }: Place, name: string): boolean {
  if (name === 'subscribe' || name === 'unsubscribe' || name === 'award') return true;
  if (project.accessLevel >= Access.Reporter) return true;
  return ownCommands.has(name) && issue.authorId === caller.id;
}

/** Commands that only change fields. */
function plainEffect(issue: IssueDocument, name: string, argument: string): Effect | undefined {
  const silent = (fields: Record<string, unknown>): IssuablePatch => ({ silent: fields });
  switch (name) {
    case 'close':
      return { patch: { state: 'closed' }, changes: { state_event: 'close' }, summary: 'Closed this issue.' };
    case 'reopen':
      return { patch: { state: 'opened' }, changes: { state_event: 'reopen' }, summary: 'Reopened this issue.' };
    case 'title':
      if (argument === '' || argument.length > 255) return undefined;
      return {
        patch: { title: argument },
        changes: { title: argument },
        summary: `Changed the title to "${argument}".`,
      };
    case 'remove_milestone':
      return { patch: { milestoneId: null }, changes: { milestone_id: null }, summary: 'Removed the milestone.' };
    case 'due': {
      if (!isDay(argument)) return undefined;
      return {
        patch: { dueDate: argument },
        changes: { due_date: argument },
        summary: `Set the due date to ${argument}.`,
      };
    }
    case 'remove_due_date':
      return { patch: { dueDate: null }, changes: { due_date: null }, summary: 'Removed the due date.' };
    case 'weight': {
      if (!/^\d{1,9}$/.test(argument)) return undefined;
      const weight = Number(argument);
      return { patch: { weight }, changes: { weight }, summary: `Set weight to ${weight}.` };
    }
    case 'clear_weight':
      return { patch: { weight: null }, changes: { weight: null }, summary: 'Cleared weight.' };
    case 'confidential':
      return {
        patch: { confidential: true },
        changes: { confidential: true },
        summary: 'Made this issue confidential.',
      };
    case 'lock':
    case 'unlock': {
      const locked = name === 'lock';
      const summary = `${locked ? 'Locked' : 'Unlocked'} the discussion.`;
      return { patch: { discussionLocked: locked }, changes: { discussion_locked: locked }, summary };
    }
    case 'estimate': {
      const timeEstimate = parseTime(argument);
      if (timeEstimate === undefined) return undefined;
      return {
        patch: silent({ timeEstimate }),
        changes: { time_estimate: timeEstimate },
        summary: `Set time estimate to ${argument}.`,
      };
    }
    case 'remove_estimate':
      return { patch: silent({ timeEstimate: 0 }), changes: { time_estimate: 0 }, summary: 'Removed time estimate.' };
    case 'spend': {
      const spent = parseTime(argument);
      if (spent === undefined) return undefined;
      const timeSpent = issue.timeSpent + spent;
      return {
        patch: silent({ timeSpent }),
        changes: { spend_time: { duration: spent } },
        summary: `Added ${argument} spent time.`,
      };
    }
    case 'remove_time_spent':
      return { patch: silent({ timeSpent: 0 }), changes: { spend_time: 'reset' }, summary: 'Removed spent time.' };
    default:
      return undefined;
  }
}
