import {
  type ContextOf,
  getLatestRelease,
  getRelease,
  getReleaseEvidence,
  isFeatureOpen,
  listGroupReleases,
  listReleases,
  type ParsedOf,
  Reply,
  releasesOfTags,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { ProjectsBelow } from '../../project/projects-below';
import { Releases } from '../release.repository';
import { ReleaseViews, seesPlans } from '../release-views';
import { ServeEvidence } from '../serve-evidence';

/** Reads releases. */
@Controller()
export class ReadReleases {
  /** Base URL of the API, as clients know it. */
  private readonly root: string;

  constructor(
    private readonly releases: Releases,
    private readonly views: ReleaseViews,
    private readonly below: ProjectsBelow,
    private readonly evidence: ServeEvidence,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.root = new URL(settings.EXTERNAL_URL).pathname.replace(/\/$/, '');
  }

  @Handles(listReleases)
  async list({ project }: ContextOf<typeof listReleases>, input: ParsedOf<typeof listReleases>) {
    const page = await this.releases.page([project.id], input);
    return { ...page, items: await this.views.many(page.items, [project], input.include_html_description) };
  }

  @Handles(listGroupReleases)
  async ofGroup({ group, caller }: ContextOf<typeof listGroupReleases>, input: ParsedOf<typeof listGroupReleases>) {
    const isOpen = (project: Parameters<typeof isFeatureOpen>[0]) => isFeatureOpen(project, 'repository');
    const open = await this.below.ids(group.id, caller, isOpen);
    const page = await this.releases.page(open, { order_by: 'released_at', ...input });
    const ids = [...new Set(page.items.map(({ projectId }) => projectId))];
    const projects = await this.below.refs(ids, caller);
    return { ...page, items: await this.views.many(page.items, [...projects.values()]) };
  }

  @Handles(getRelease)
  async get({ project }: ContextOf<typeof getRelease>, input: ParsedOf<typeof getRelease>) {
    const release = await this.releases.get(project.id, input.tag_name);
    return this.views.one(release, project, input.include_html_description);
  }

  @Handles(getReleaseEvidence)
  async evidenceFile({ project }: ContextOf<typeof getReleaseEvidence>, input: ParsedOf<typeof getReleaseEvidence>) {
    const release = await this.releases.get(project.id, input.tag_name);
    return this.evidence.address(release, input.evidence_id, seesPlans(project));
  }

  @Handles(getLatestRelease)
  async latest({ project }: ContextOf<typeof getLatestRelease>, { suffix_path }: ParsedOf<typeof getLatestRelease>) {
    const { tagName } = await this.releases.latest(project.id);
    const release = `${this.root}/api/v4/projects/${project.id}/releases/${encodeURIComponent(tagName)}`;
    const rest = suffix_path ? `/${suffix_path.split('/').map(encodeURIComponent).join('/')}` : '';
    return new Reply(undefined, { headers: { location: release + rest } });
  }

  @Handles(releasesOfTags)
  async ofTags(_: ContextOf<typeof releasesOfTags>, { project_id, tag_names }: ParsedOf<typeof releasesOfTags>) {
    const found = await this.releases.ofTags(project_id, tag_names);
    return found.map(({ tagName, description }) => ({ tag_name: tagName, description }));
  }
}
