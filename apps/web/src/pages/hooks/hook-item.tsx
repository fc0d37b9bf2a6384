import type { ProjectHook } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { FieldFacts } from '../../parts/field-list';
import { HookHealth } from './hook-health';

interface Props {
  hook: Pick<ProjectHook, 'name' | 'url' | 'alert_status' | 'disabled_until'>;
  /** The events that it can be without. */
  events: readonly FieldFacts[];
  /** What it says without any of them. */
  none?: string;
  /** The page of the hook. */
  path: string;
}

/** A hook in a list. */
export const HookItem = ({ hook, events, none = '', path }: Props) => {
  const switches = new Map<string, unknown>(Object.entries(hook));
  const sent = events.filter(({ name }) => switches.get(name) === true).map(({ label }) => label);
  return (
    <>
      <p>
        <a href={path}>
          <Named>{hook.name || hook.url}</Named>
        </a>
        <HookHealth hook={hook} />
      </p>
      {hook.name && (
        <p>
          <Named>{hook.url}</Named>
        </p>
      )}
      <p class="dim">{sent.join(', ') || none}</p>
    </>
  );
};
