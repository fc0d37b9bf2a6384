/*
 * The effect of a change on the view of a resource, to compute the effect of two changes together. Lists are sets: of
 * two changes of one list each adds and removes its own items.
 */

/** The view by path: single values, and lists as the texts of their items. */
export type View = Map<string, unknown>;

export type Effect = { path: string; to: unknown } | { path: string; added: string[]; removed: string[] };

/** Derived or delayed values. */
const aside =
  /(^|\.)(updated_at|last_activity_at|last_activity_on|user_notes_count|merge_status|detailed_merge_status|has_conflicts|next_run_at|subscribed|contacted_at|open_issues_count|last_update_at|last_update_started_at|update_status|last_error|changes_count|diff_refs|sha|prepared_at)$/;

/** A time differs with each attempt; whether it is set does not. */
const timeless = (path: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return path.endsWith('_at') ? 'some time' : value.replace(/\/\d{13}\//, '/some-time/');
};

export function viewOf(answers: unknown[]): View {
  const view: View = new Map();
  for (const [index, answer] of answers.entries()) walk(view, String(index), answer);
  return view;
}

function walk(view: View, path: string, value: unknown): void {
  if (aside.test(path)) return;
  if (Array.isArray(value)) {
    view.set(path, value.map((item) => JSON.stringify(item)).sort());
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) walk(view, `${path}.${key}`, field);
  } else {
    view.set(path, timeless(path, value));
  }
}

export function effectsOf(before: View, after: View): Effect[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path): Effect[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (!isList(was) || !isList(is)) return Object.is(was, is) ? [] : [{ path, to: is }];
    const [added, removed] = [without(is, was), without(was, is)];
    return added.length + removed.length > 0 ? [{ path, added, removed }] : [];
  });
}

export function withEffects(view: View, effects: Effect[]): View {
  const after = new Map(view);
  for (const effect of effects) {
    if ('to' in effect) after.set(effect.path, effect.to);
    else {
      const rest = without((after.get(effect.path) ?? []) as string[], effect.removed);
      after.set(effect.path, [...without(rest, effect.added), ...effect.added]);
    }
  }
  return after;
}

/** Differences from the expected view; empty if both are equal. */
export function differences(expected: View, found: View): string[] {
  return effectsOf(expected, found).map((effect) =>
    'to' in effect
      ? `${effect.path} is ${JSON.stringify(effect.to)} and not ${JSON.stringify(expected.get(effect.path))}`
      : `${effect.path} has too much ${effect.added.join()}, lacks ${effect.removed.join()}`,
  );
}

const isList = (value: unknown): value is string[] => Array.isArray(value);
const without = (list: string[], taken: string[]): string[] => list.filter((item) => !taken.includes(item));
