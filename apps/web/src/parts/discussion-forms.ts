import type { CreatedNote, ProjectRef } from '@moothall/contracts';
import type { RouteAddress, TakeForm } from '../page/page';
import type { Visit } from '../visit/visits';
import { pageOf, perPage } from './paging';

type Of<T> = (visit: Visit, project: ProjectRef, address: RouteAddress) => Promise<T>;
type With<G, T> = (visit: Visit, project: ProjectRef, address: RouteAddress, given: G) => Promise<T>;

/** How one kind of record is discussed. */
interface Discussed {
  /** The path of its page. */
  at(project: ProjectRef, address: RouteAddress): string;
  /** The number of its discussions; undefined if they are not counted. */
  count: Of<number | undefined>;
  comment: With<string, CreatedNote>;
  reply: With<{ discussion_id: string; body: string }, CreatedNote>;
}

/** The forms `comment` and `reply`. The next page shows the new note; there is none after quick actions only. */
export const discussionForms = ({ at, count, comment, reply }: Discussed): Record<string, TakeForm<ProjectRef>> => ({
  async comment(visit, project, address, sent) {
    const note = await comment(visit, project, address, sent.text('body'));
    const last = Math.ceil(((await count(visit, project, address)) ?? 0) / perPage);
    return pathOfNote(at(project, address), last, note);
  },
  async reply(visit, project, address, sent) {
    const note = await reply(visit, project, address, { discussion_id: sent.text('of'), body: sent.text('body') });
    return pathOfNote(at(project, address), pageOf(address), note);
  },
});

const pathOfNote = (path: string, page: number, note: CreatedNote): string =>
  `${path}${page > 1 ? `?page=${page}` : ''}${'id' in note ? `#note_${note.id}` : ''}`;
