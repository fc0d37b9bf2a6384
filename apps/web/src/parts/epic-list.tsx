import type { Epic } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import { pathOf } from './address';
import { Day } from './time';

type Shown = Pick<Epic, 'id' | 'title' | 'state' | 'references' | 'author' | 'created_at' | 'web_url'>;

export const EpicList = ({ epics, none }: { epics: readonly Shown[]; none: string }) =>
  epics.length === 0 ? (
    <p class="dim">{none}</p>
  ) : (
    <ul class="list">
      {epics.map((epic) => (
        <li key={epic.id}>
          <p>
            <a href={pathOf(epic.web_url)}>
              <Named>{epic.title}</Named>
            </a>
            {epic.state !== 'opened' && <span class="tag after">{epic.state}</span>}
          </p>
          <p class="dim">
            {epic.references.full} by <Named>{epic.author.name}</Named> on <Day at={epic.created_at} />
          </p>
        </li>
      ))}
    </ul>
  );
