import type { Issuable } from '../issuable/issuable';
import { action, change, type Effect, type EffectOn, type QuickAction } from './quick-action';

const titlesOf = (labels: { title: string }[]): string => labels.map(({ title }) => `~${title}`).join(' ');
const idsOf = (labels: { _id: number }[]): number[] => labels.map(({ _id }) => _id);

const label: QuickAction<Issuable> = {
  who: 'planner',
  async prepare(argument, { named, project }) {
    const labels = await named.findLabels(argument, project);
    if (labels.length === 0) return undefined;
    const ids = idsOf(labels);
    return change({ addLabelIds: ids }, { add_label_ids: ids }, `Added ${titlesOf(labels)} labels.`);
  },
};

const unlabel: QuickAction<Issuable> = {
  who: 'planner',
  async prepare(argument, { named, project }) {
    const labels = await named.findLabels(argument, project);
    if (labels.length === 0) return undefined;
    const ids = idsOf(labels);
    return change({ removeLabelIds: ids }, { remove_label_ids: ids }, `Removed ${titlesOf(labels)} labels.`);
  },
};

/** Removes all where it names none. */
export const unlabelAll: QuickAction<Issuable> = {
  who: 'planner',
  prepare: (argument, request) => (argument === '' ? removeAllLabels : unlabel.prepare(argument, request)),
};

const removeAllLabels: EffectOn<Issuable> = ({ labelIds }) => ({
  patch: { removeLabelIds: labelIds },
  changes: { remove_label_ids: labelIds },
  summary: 'Removed all labels.',
});

const lock = (locked: boolean): QuickAction<Issuable> =>
  action(
    'planner',
    change(
      { discussionLocked: locked },
      { discussion_locked: locked },
      `${locked ? 'Locked' : 'Unlocked'} the discussion.`,
    ),
  );

/** What all records have that are planned. */
export const issuableActions = {
  label,
  unlabel,
  remove_label: unlabel,
  lock: lock(true),
  unlock: lock(false),
};

/** What else a change of the state, or of the title, changes; undefined where that cannot be done. */
interface Rules<T> {
  noun: string;
  closing(current: T): Effect['patch']['silent'];
  reopening(current: T): Effect['patch']['silent'];
  titling(current: T, title: string): Pick<Effect['patch'], 'silent' | 'notes'>;
}

/** What authors do, too: each kind has rules of its own for it. */
export function editorActions<T extends Issuable>({ noun, closing, reopening, titling }: Rules<T>) {
  const setState = (state: 'closed' | 'opened', silentOf: Rules<T>['closing']) =>
    action<T>('editor', (current) => {
      const silent = silentOf(current);
      if (!silent) return undefined;
      const [event, told] = state === 'closed' ? ['close', 'Closed'] : ['reopen', 'Reopened'];
      return { patch: { state, silent }, changes: { state_event: event }, summary: `${told} this ${noun}.` };
    });
  const retitle = (current: T, title: string): Effect => ({
    patch: { title, ...titling(current, title) },
    changes: { title },
    summary: `Changed the title to "${title}".`,
  });
  return {
    retitle,
    actions: {
      close: setState('closed', closing),
      reopen: setState('opened', reopening),
      title: action<T>('editor', (current, title) =>
        title === '' || title.length > 255 ? undefined : retitle(current, title),
      ),
    },
  };
}
