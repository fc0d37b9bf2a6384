import { hasRoom } from '@moothall/database';
import { emojiNamed } from '../award/emoji-name';
import { type Issuable, isSubscribed, subscription } from '../issuable/issuable';
import { mostPeople } from '../user/most-people';
import { action, change, type Effect, type EffectOn, type QuickAction } from './quick-action';

const titlesOf = (labels: { title: string }[]): string => labels.map(({ title }) => `~${title}`).join(' ');
const idsOf = (labels: { _id: number }[]): number[] => labels.map(({ _id }) => _id);

const label: QuickAction<Issuable> = {
  who: 'planner',
  async prepare(argument, { named, owners }) {
    const labels = await named.findLabels(argument, owners);
    if (labels.length === 0) return undefined;
    const ids = idsOf(labels);
    return change({ addLabelIds: ids }, { add_label_ids: ids }, `Added ${titlesOf(labels)} labels.`);
  },
};

const unlabel: QuickAction<Issuable> = {
  who: 'planner',
  async prepare(argument, { named, owners }) {
    const labels = await named.findLabels(argument, owners);
    if (labels.length === 0) return undefined;
    const ids = idsOf(labels);
    return change({ removeLabelIds: ids }, { remove_label_ids: ids }, `Removed ${titlesOf(labels)} labels.`);
  },
};

/** Removes all if it names none. */
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

export const relabel: QuickAction<Issuable> = {
  who: 'planner',
  async prepare(argument, { named, owners }) {
    const labels = await named.findLabels(argument, owners);
    if (labels.length === 0 && argument !== '') return undefined;
    const ids = idsOf(labels);
    return change({ labelIds: ids }, { label_ids: ids }, `Replaced all labels with ${titlesOf(labels)}.`);
  },
};

const award: QuickAction<Issuable> = {
  who: 'everybody',
  prepare(argument, { named, model, caller }) {
    const name = emojiNamed(argument);
    if (!name) return undefined;
    return ({ _id }) => ({
      patch: {},
      write: async () => (await named.awards.add(model, _id, name, caller.id)) !== undefined,
      changes: { emoji_award: name },
      summary: `Toggled :${name}: emoji award.`,
    });
  },
};

const subscribe = (noun: string, wanted: boolean): QuickAction<Issuable> => ({
  who: 'everybody',
  prepare: (_, { model, caller }) => {
    const [event, summary] = wanted ? ['subscribe', 'Subscribed to'] : ['unsubscribe', 'Unsubscribed from'];
    const effect = { patch: {}, changes: { subscription_event: event }, summary: `${summary} this ${noun}.` };
    return (current) => {
      if (isSubscribed(current, caller.id) === wanted) return effect;
      if (wanted && current.subscriberIds.length >= mostPeople) return undefined;
      const filter = { _id: current._id, ...(wanted && hasRoom('subscriberIds', mostPeople)) };
      const update = subscription(current, caller.id, wanted);
      return { ...effect, write: async () => (await model.updateOne(filter, update)).matchedCount === 1 };
    };
  },
});

/** Commands that concern the caller alone. */
export const personalActions = (noun: string) => ({
  award,
  subscribe: subscribe(noun, true),
  unsubscribe: subscribe(noun, false),
});

/** Commands of all records that can be planned. */
export const issuableActions = {
  label,
  unlabel,
  remove_label: unlabel,
  lock: lock(true),
  unlock: lock(false),
};

/** Further effects of a new state or title; undefined if the change is not allowed. */
interface Rules<T> {
  noun: string;
  closing(current: T): Effect['patch']['silent'];
  reopening(current: T): Effect['patch']['silent'];
  titling(current: T, title: string): Pick<Effect['patch'], 'silent' | 'notes'>;
}

/** Commands that authors may use, too: each kind has its own rules for them. */
export function editorActions<T extends Issuable>({ noun, closing, reopening, titling }: Rules<T>) {
  const setState = (state: 'closed' | 'opened', silentOf: Rules<T>['closing']) =>
    action<T>('editor', (current) => {
      const silent = silentOf(current);
      if (!silent) return undefined;
      const [event, summary] = state === 'closed' ? ['close', 'Closed'] : ['reopen', 'Reopened'];
      return { patch: { state, silent }, changes: { state_event: event }, summary: `${summary} this ${noun}.` };
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
