import type { Milestone } from '@moothall/contracts';
import { Day } from './time';

/** State and days of a milestone. */
export const MilestoneFacts = ({ milestone }: { milestone: Milestone }) => (
  <ul class="facts">
    <li class="tag">{milestone.state}</li>
    {milestone.expired && milestone.state === 'active' && <li class="tag">overdue</li>}
    {milestone.group_id !== undefined && <li>Of the group</li>}
    {milestone.start_date && (
      <li>
        Starts on <Day at={milestone.start_date} />
      </li>
    )}
    {milestone.due_date && (
      <li>
        Due on <Day at={milestone.due_date} />
      </li>
    )}
  </ul>
);
