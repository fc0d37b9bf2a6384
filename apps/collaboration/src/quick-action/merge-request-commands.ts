import { Access, type Caller, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import { Labels } from '../label/label.repository';
import { titled, withDraft, withoutDraft } from '../merge-request/record/draft';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { MergeRequestKind } from '../merge-request/record/merge-request-kind';
import { openKeyOf } from '../merge-request/record/open-key';
import { ownersForProject } from '../parent/owner';
import { applyCommands, type Effect, type EffectOn, labelsIn } from './apply-commands';
import type { AppliedCommands, QuickCommand } from './quick-command';

interface Place {
  mergeRequest: MergeRequestDocument;
  project: ProjectRef;
  caller: Caller;
}

type Effects = EffectOn<MergeRequestDocument>;

/** Commands that authors may use as well as developers. */
const ownCommands = new Set(['close', 'reopen', 'title', 'draft', 'wip', 'ready']);

export const mergeRequestCommands: ReadonlySet<string> = new Set([
  ...ownCommands,
  ...['label', 'unlabel', 'remove_label', 'lock', 'unlock'],
]);

/** Does what `/close` and the like in a note ask for. See docs/api/notes.md#4. */
@Injectable()
export class MergeRequestCommands {
  constructor(
    readonly changes: ChangeIssuable,
    readonly kind: MergeRequestKind,
    private readonly labels: Labels,
  ) {}

  apply(place: Place, commands: QuickCommand[]): Promise<AppliedCommands> {
    const prepare = async (command: QuickCommand) =>
      mayUse(place, command.name) ? this.prepare(place, command) : undefined;
    return applyCommands(this, place.mergeRequest, place.caller.id, commands, prepare);
  }

  private async prepare({ project }: Place, { name, argument }: QuickCommand): Promise<Effects | undefined> {
    if (name === 'label') return this.labelling(project, argument, true);
    if (name === 'unlabel' || name === 'remove_label') return this.labelling(project, argument, false);
    return (mergeRequest) => plainEffect(mergeRequest, name, argument);
  }

  private async labelling(project: ProjectRef, argument: string, adds: boolean): Promise<Effects | undefined> {
    const labels = await this.labels.findNamed(labelsIn(argument), ownersForProject(project));
    if (labels.length === 0) return undefined;
    const ids = labels.map(({ _id }) => _id);
    const titles = labels.map(({ title }) => `~${title}`).join(' ');
    return () =>
      adds
        ? { patch: { addLabelIds: ids }, changes: { add_label_ids: ids }, summary: `Added ${titles} labels.` }
        : { patch: { removeLabelIds: ids }, changes: { remove_label_ids: ids }, summary: `Removed ${titles} labels.` };
  }
}

function mayUse({ mergeRequest, project, caller }: Place, name: string): boolean {
  if (ownCommands.has(name) && mergeRequest.authorId === caller.id) return true;
  return project.accessLevel >= (ownCommands.has(name) ? Access.Developer : Access.Reporter);
}

function plainEffect(mergeRequest: MergeRequestDocument, name: string, argument: string): Effect | undefined {
  switch (name) {
    case 'close':
      if (mergeRequest.state !== 'opened') return undefined;
      return {
        patch: { state: 'closed', silent: { openKey: null, autoMerge: null } },
        changes: { state_event: 'close' },
        summary: 'Closed this merge request.',
      };
    case 'reopen':
      if (mergeRequest.state !== 'closed') return undefined;
      return {
        patch: { state: 'opened', silent: { openKey: openKeyOf(mergeRequest), mergeStatus: 'unchecked' } },
        changes: { state_event: 'reopen' },
        summary: 'Reopened this merge request.',
      };
    case 'title':
      return argument === '' || argument.length > 255 ? undefined : titleEffect(mergeRequest, argument);
    case 'draft':
    case 'wip':
    case 'ready': {
      const becomesDraft = name !== 'ready' && !mergeRequest.isDraft;
      const { title } = mergeRequest;
      return titleEffect(mergeRequest, becomesDraft ? withDraft(title) : withoutDraft(title));
    }
    case 'lock':
    case 'unlock': {
      const locked = name === 'lock';
      const summary = `${locked ? 'Locked' : 'Unlocked'} the discussion.`;
      return { patch: { discussionLocked: locked }, changes: { discussion_locked: locked }, summary };
    }
    default:
      return undefined;
  }
}

function titleEffect(mergeRequest: MergeRequestDocument, title: string): Effect {
  const { silent, notes } = titled(mergeRequest, title);
  return { patch: { title, silent, notes }, changes: { title }, summary: `Changed the title to "${title}".` };
}
