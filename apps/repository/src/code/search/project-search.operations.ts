import {
  type ContextOf,
  contentErrors,
  type ParsedOf,
  searchProjectBlobs,
  searchProjectCommits,
  searchProjectWikiBlobs,
  window,
} from '@moothall/contracts';
import { AbandonedRequests, Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject, UseInterceptors } from '@nestjs/common';
import type { Commit } from '../../git/objects/commit';
import { GitError } from '../../git/process/errors';
import { FairReads } from '../../storage/fair-reads';
import { type Located, Storages } from '../../storage/storages';
import { projectUrl, viewCommit } from '../commit/commit.view';
import { SearchBlobs } from './search-blobs';

/** Time limit of one search. */
const searchMs = 10_000;

/** Searches code, wikis and commits of a project. See docs/api/search.md#9. */
@Controller()
@UseInterceptors(FairReads)
export class ProjectSearch {
  constructor(
    private readonly storages: Storages,
    private readonly blobs: SearchBlobs,
    private readonly abandoned: AbandonedRequests,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(searchProjectBlobs)
  async searchBlobs(
    { project, requestId }: ContextOf<typeof searchProjectBlobs>,
    input: ParsedOf<typeof searchProjectBlobs>,
  ) {
    return this.inTime(requestId, (signal) => this.blobs.search(project, 'code', input, signal));
  }

  @Handles(searchProjectWikiBlobs)
  async searchWiki(
    { project, requestId }: ContextOf<typeof searchProjectWikiBlobs>,
    input: ParsedOf<typeof searchProjectWikiBlobs>,
  ) {
    const found = await this.inTime(requestId, (signal) => this.blobs.search(project, 'wiki', input, signal));
    return { ...found, items: found.items.map((item) => ({ ...item, group_id: null })) };
  }

  @Handles(searchProjectCommits)
  async searchCommits(
    { project, requestId }: ContextOf<typeof searchProjectCommits>,
    input: ParsedOf<typeof searchProjectCommits>,
  ) {
    const located = this.storages.locate(project);
    const { engine, path } = located;
    const start = await engine.commits.find(path, input.ref);
    if (!start && input.ref !== undefined) throw contentErrors.refNotFound();
    if (!start) return { items: [], total: 0 };
    const { skip, limit } = window(input);
    const named = await this.findNamed(located, input.search.trim());
    const message = input.search.trim().replace(/\s+/g, ' ');
    const commits = named
      ? [named].slice(skip)
      : await this.inTime(requestId, (signal) =>
          engine.log.list(path, { from: start.id, message, offset: skip, limit }, signal),
        );
    const url = projectUrl(this.settings.EXTERNAL_URL, project);
    return { items: commits.map((commit) => ({ ...viewCommit(commit, url), project_id: project.id })) };
  }

  /** The commit with that id or abbreviated id. */
  private async findNamed({ engine, path }: Located, text: string): Promise<Commit | null> {
    return /^[0-9a-f]{7,40}$/i.test(text) ? engine.commits.find(path, text.toLowerCase()) : null;
  }

  /** @throws git.timed_out at the time limit, git.cancelled if the caller disconnected */
  private async inTime<T>(requestId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = AbortSignal.timeout(searchMs);
    try {
      return await this.abandoned.during(requestId, (gone) => work(AbortSignal.any([over, gone])));
    } catch (error) {
      const isLate = over.aborted && error instanceof GitError && error.reason === 'cancelled';
      throw isLate ? new GitError('timed_out') : error;
    }
  }
}
