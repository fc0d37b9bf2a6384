import type { ProjectHook } from '@moothall/contracts';
import { Moment } from '../../parts/time';

/** Says that the receiver of a hook fails. Source: docs/api/hooks.md#7. */
export const HookHealth = ({
  hook: { alert_status, disabled_until },
}: {
  hook: Pick<ProjectHook, 'alert_status' | 'disabled_until'>;
}) =>
  alert_status === 'executable' ? null : (
    <>
      <span class="tag after">{alert_status.replaceAll('_', ' ')}</span>
      {disabled_until && (
        <span class="after dim">
          {' '}
          Next attempt: <Moment at={disabled_until} />
        </span>
      )}
    </>
  );
