import { Named } from '@moothall/pages';
import { pathOf } from './address';

/** An issue or a merge request of any project. */
interface WorkItem {
  id: number;
  title: string;
  /** Undefined for a kind without states. */
  state?: string;
  web_url: string;
}

/** `group/project` of a record; empty for a personal snippet. */
const placeOf = ({ web_url }: WorkItem): string => /^\/(.+?)\/-\//.exec(pathOf(web_url))?.[1] ?? '';

/** Issues or merge requests of several projects, with a title. */
export const Work = ({ title, items, none }: { title: string; items: readonly WorkItem[]; none: string }) => (
  <>
    <h2>{title}</h2>
    {items.length === 0 ? <p class="dim">{none}</p> : <WorkList items={items} />}
  </>
);

/** Records with a title, and where they are. */
export const WorkList = ({ items }: { items: readonly WorkItem[] }) => (
  <ul class="list">
    {items.map((item) => (
      <li key={item.id}>
        <a href={pathOf(item.web_url)}>
          <Named>{item.title}</Named>
        </a>{' '}
        <span class="dim">{placeOf(item)}</span>
        {item.state !== undefined && !usual.includes(item.state) && <span class="tag after">{item.state}</span>}
      </li>
    ))}
  </ul>
);

/** States that need no mention. */
const usual = ['opened', 'active'];
