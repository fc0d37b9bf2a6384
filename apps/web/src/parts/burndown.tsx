import { type BurndownDay, type Milestone, mostBurndownIssues } from '@moothall/contracts';
import { count } from './project-list';
import { Day } from './time';

interface Props {
  milestone: Milestone;
  days: readonly BurndownDay[];
}

/** The burndown of a milestone, if it is small enough. */
export const Burndown = ({ milestone, days }: { milestone: Milestone; days: readonly BurndownDay[] | null }) =>
  days ? (
    <Figure milestone={milestone} days={days} />
  ) : (
    <p class="dim">There is no burndown of more than {mostBurndownIssues} issues.</p>
  );

/** The open issues of a milestone, day by day, as a chart and as a table. */
const Figure = ({ milestone, days }: Props) => {
  const latest = days.at(-1);
  if (!latest) return null;
  const range = rangeOf(milestone, days);
  return (
    <figure class="burndown">
      <Chart milestone={milestone} days={days} range={range} />
      <figcaption>
        Burndown from <Day at={isoOf(range[0])} /> to <Day at={isoOf(range[1])} />: at most{' '}
        {count(mostOf(days), 'open issue')}, {latest.open} after the last change.
        <Numbers days={days} />
      </figcaption>
    </figure>
  );
};

const [width, height] = [600, 200];

/** Steps of the number of open issues, and a line from its maximum at the start to zero at the due date. */
const Chart = ({ milestone, days, range: [first, last] }: Props & { range: Range }) => {
  const most = mostOf(days) || 1;
  const x = (time: number): number => Math.round(((Math.min(time, last) - first) / (last - first || 1)) * width);
  const y = (open: number): number => Math.round((1 - open / most) * height);
  const steps = days.map(({ day, open }, at) =>
    at === 0 ? `M${x(timeOf(day))} ${y(open)}` : `H${x(timeOf(day))}V${y(open)}`,
  );
  const { start_date: start, due_date: due } = milestone;
  return (
    <svg viewBox={`-4 -4 ${width + 8} ${height + 8}`} role="img" aria-label="Burndown chart">
      <path d={`M0 0V${height}H${width}`} class="axes" />
      {due && <path d={`M${x(start ? timeOf(start) : first)} 0L${x(timeOf(due))} ${height}`} class="guide" />}
      <path d={`${steps.join('')}H${x(Date.now())}`} />
    </svg>
  );
};

const Numbers = ({ days }: { days: readonly BurndownDay[] }) => (
  <details>
    <summary>Numbers</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Open issues</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, open }) => (
          <tr key={day}>
            <td>
              <Day at={day} />
            </td>
            <td>{open}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

const timeOf = (day: string): number => Date.parse(day);
const isoOf = (time: number): string => new Date(time).toISOString();
const mostOf = (days: readonly BurndownDay[]): number => Math.max(...days.map(({ open }) => open));

type Range = readonly [first: number, last: number];

/** From the start of the milestone, or an earlier change, to its due date; until today without one. */
function rangeOf({ start_date, due_date }: Milestone, days: readonly BurndownDay[]): Range {
  const times = [start_date, due_date ?? isoOf(Date.now()), ...days.map(({ day }) => day)].flatMap((day) =>
    day ? [timeOf(day)] : [],
  );
  return [Math.min(...times), Math.max(...times)];
}
