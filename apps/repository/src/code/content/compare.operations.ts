import {
  type ContextOf,
  compareRefs,
  contentErrors,
  getMergeBase,
  listContributors,
  type ParsedOf,
  pageOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject, UseInterceptors } from '@nestjs/common';
import { GitError } from '../../git/process/errors';
import type { Contributor } from '../../git/read/contributors';
import { FairReads } from '../../storage/fair-reads';
import { Storages } from '../../storage/storages';
import { projectUrl, viewCommit } from '../commit/commit.view';
import { Forks } from './forks';

type Contributors = ParsedOf<typeof listContributors>;

@Controller()
@UseInterceptors(FairReads)
export class CompareOperations {
  constructor(
    private readonly storages: Storages,
    private readonly forks: Forks,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  @Handles(compareRefs)
  async compare(context: ContextOf<typeof compareRefs>, input: ParsedOf<typeof compareRefs>) {
    const { project } = context;
    const { from, to, straight, from_project_id: other } = input;
    const { engine, path } = this.storages.locate(project);
    const left = other && other !== project.id ? await this.forks.bring(context, other, from) : from;
    const url = projectUrl(this.settings.EXTERNAL_URL, project);
    const comparison = await engine.compares.compare(path, left, to, { straight }).catch((error: unknown) => {
      throw error instanceof GitError && error.reason === 'ref_not_found' ? contentErrors.refNotFound() : error;
    });
    const commits = comparison.commits.map((commit) => viewCommit(commit, url));
    return {
      commit: commits.at(-1) ?? null,
      commits,
      diffs: comparison.diffs,
      compare_timeout: comparison.compareTimeout,
      compare_same_ref: comparison.compareSameRef,
      web_url: `${url}/-/compare/${encodeURIComponent(from)}${straight ? '..' : '...'}${encodeURIComponent(to)}`,
    };
  }

  @Handles(getMergeBase)
  async mergeBase({ project }: ContextOf<typeof getMergeBase>, { refs }: ParsedOf<typeof getMergeBase>) {
    const { engine, path } = this.storages.locate(project);
    const commit = await engine.commits.get(path, await engine.mergeBases.findOfRefs(path, refs));
    if (!commit) throw new GitError('merge_base_missing');
    return viewCommit(commit, projectUrl(this.settings.EXTERNAL_URL, project));
  }

  @Handles(listContributors)
  async contributors({ project }: ContextOf<typeof listContributors>, input: Contributors) {
    const { engine, path } = this.storages.locate(project);
    const contributors = await engine.contributors.list(path);
    if (!contributors) throw contentErrors.repositoryEmpty();
    return pageOf(contributors.toSorted(orderOf(input)), input);
  }
}

function orderOf({ order_by, sort }: Contributors): (a: Contributor, b: Contributor) => number {
  const direction = sort === 'asc' ? 1 : -1;
  if (order_by === 'commits') return (a, b) => direction * (a.commits - b.commits);
  return (a, b) => direction * a[order_by].localeCompare(b[order_by]);
}
