import {
  Access,
  type Caller,
  escapeHtml,
  isFeatureOpen,
  type Milestone,
  namedMilestones,
  type OutputOf,
  only,
  type ProjectRef,
  planning,
  type Release as ReleaseView,
  reaches,
  tagFacts,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { type ReleasePlace, viewLink } from './link-rules';
import type { Evidence, Link, Release } from './release.schema';

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'];

export type TagFacts = OutputOf<typeof tagFacts>[number];

interface Shown {
  project: ProjectRef;
  commits: ReadonlyMap<string, TagFacts['commit']>;
  milestones: ReadonlyMap<number, Milestone>;
}

/** Whether a caller sees the code fields of a release. See docs/api/releases.md#1. */
export const seesCode = (project: ProjectRef): boolean =>
  project.visibility !== 'private' || reaches(project, Access.Reporter, 'read_code');

/** Whether a caller sees milestones of a project. */
export const seesPlans = (project: ProjectRef): boolean => planning.some((feature) => isFeatureOpen(project, feature));

/** API views of releases: one call to each service for all releases of a project. */
@Injectable()
export class ReleaseViews {
  private readonly externalUrl: string;

  constructor(
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.externalUrl = settings.EXTERNAL_URL.replace(/\/$/, '');
  }

  /** The existing tags of releases of one project. */
  facts(project: ProjectRef, names: string[], caller?: Caller): Promise<TagFacts[]> {
    return this.client.call(tagFacts, { names, is_admin: caller?.isAdmin ?? false }, { project });
  }

  async one(release: Release, project: ProjectRef, withHtml = false): Promise<ReleaseView> {
    return only(await this.many([release], [project], withHtml));
  }

  /** @param projects the projects of the releases, as the caller sees them */
  async many(releases: Release[], projects: readonly ProjectRef[], withHtml = false): Promise<ReleaseView[]> {
    const shown = new Map<number, Shown>();
    const show = async (project: ProjectRef) => {
      const own = releases.filter(({ projectId }) => projectId === project.id);
      if (own.length > 0) shown.set(project.id, await this.shownOf(project, own));
    };
    const [authors] = await Promise.all([
      this.users.summaries(releases.map(({ authorId }) => authorId)),
      ...projects.map(show),
    ]);
    return releases.flatMap((release) => {
      const of = shown.get(release.projectId);
      return of ? [{ ...this.view(release, of, withHtml), author: authors.get(release.authorId) ?? null }] : [];
    });
  }

  link(link: Link, { projectId, tagName }: Pick<ReleasePlace, 'projectId' | 'tagName'>) {
    return viewLink(link, { externalUrl: this.externalUrl, projectId, tagName });
  }

  /** Milestones of releases of a project by id, also for callers who may not see them. */
  async milestones(project: ProjectRef, ids: readonly number[]): Promise<Milestone[]> {
    return ids.length > 0 ? this.client.call(namedMilestones, { ids: [...ids] }, { project }) : [];
  }

  private async shownOf(project: ProjectRef, releases: Release[]): Promise<Shown> {
    const names = seesCode(project) ? releases.map(({ tagName }) => tagName) : [];
    const ids = seesPlans(project) ? [...new Set(releases.flatMap(({ milestoneIds }) => milestoneIds))] : [];
    const [tags, milestones] = await Promise.all([
      names.length > 0 ? this.facts(project, names) : [],
      this.milestones(project, ids),
    ]);
    return {
      project,
      commits: new Map(tags.map(({ name, commit }) => [name, commit])),
      milestones: new Map(milestones.map((milestone) => [milestone.id, milestone])),
    };
  }

  private view(release: Release, { project, commits, milestones }: Shown, withHtml: boolean): ReleaseView {
    const { tagName, description, createdAt, releasedAt } = release;
    const code = seesCode(project);
    const sources = code ? formats.map((format) => ({ format, url: this.sourceUrl(project, tagName, format) })) : [];
    const place = { projectId: project.id, tagName: code ? tagName : null };
    const links = release.links.map((link) => this.link(link, place));
    const own = release.milestoneIds.flatMap((id) => milestones.get(id) ?? []);
    return {
      ...(code && this.codeOf(project, tagName, commits.get(tagName) ?? null)),
      name: release.name ?? (code ? tagName : `Release-${release._id}`),
      description,
      ...(withHtml && { description_html: description === null ? null : `<p>${escapeHtml(description)}</p>` }),
      created_at: createdAt.toISOString(),
      released_at: releasedAt.toISOString(),
      upcoming_release: releasedAt.getTime() > Date.now(),
      author: null,
      ...(own.length > 0 && { milestones: own }),
      assets: { count: sources.length + links.length, ...(code && { sources }), links },
      evidences: code ? release.evidences.map((evidence) => this.evidence(evidence, project, tagName)) : [],
      _links: code ? this.pagesOf(project, tagName) : {},
    };
  }

  private codeOf(project: ProjectRef, tagName: string, commit: TagFacts['commit']) {
    return {
      tag_name: tagName,
      commit,
      ...(commit && { commit_path: `/${project.fullPath}/-/commit/${commit.id}` }),
      tag_path: `/${project.fullPath}/-/tags/${encodeURIComponent(tagName)}`,
    };
  }

  private evidence({ id, sha256, collectedAt }: Evidence, project: ProjectRef, tagName: string) {
    const filepath = `${this.pageOf(project, tagName)}/evidences/${id}.json`;
    return { sha: sha256, filepath, collected_at: collectedAt.toISOString() };
  }

  private sourceUrl({ id }: ProjectRef, tagName: string, format: string): string {
    return `${this.externalUrl}/api/v4/projects/${id}/repository/archive.${format}?sha=${encodeURIComponent(tagName)}`;
  }

  private pageOf({ fullPath }: ProjectRef, tagName: string): string {
    return `${this.externalUrl}/${fullPath}/-/releases/${encodeURIComponent(tagName)}`;
  }

  private pagesOf(project: ProjectRef, tagName: string): ReleaseView['_links'] {
    const self = this.pageOf(project, tagName);
    const list = (kind: string, state: string) =>
      `${this.externalUrl}/${project.fullPath}/-/${kind}?release_tag=${encodeURIComponent(tagName)}&scope=all&state=${state}`;
    return {
      self,
      ...(project.accessLevel >= Access.Developer && { edit_url: `${self}/edit` }),
      closed_issues_url: list('issues', 'closed'),
      closed_merge_requests_url: list('merge_requests', 'closed'),
      merged_merge_requests_url: list('merge_requests', 'merged'),
      opened_issues_url: list('issues', 'opened'),
      opened_merge_requests_url: list('merge_requests', 'opened'),
    };
  }
}
