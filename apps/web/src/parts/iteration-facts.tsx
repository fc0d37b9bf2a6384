import { type Iteration, iterationStates } from '@moothall/contracts';
import { Day } from './time';

/** The name of an iteration: its title, or its days. */
export const nameOfIteration = ({ title, start_date, due_date }: Iteration): string =>
  title ?? `${start_date} – ${due_date}`;

const words: Record<Iteration['state'], string> = {
  [iterationStates.upcoming]: 'upcoming',
  [iterationStates.current]: 'current',
  [iterationStates.closed]: 'closed',
};

export const IterationFacts = ({ iteration: { state, start_date, due_date } }: { iteration: Iteration }) => (
  <ul class="facts">
    <li class="tag">{words[state]}</li>
    <li>
      <Day at={start_date} /> to <Day at={due_date} />
    </li>
  </ul>
);
