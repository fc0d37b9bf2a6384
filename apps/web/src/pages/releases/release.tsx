import { getRelease, type Project, type Release } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { ReleaseFacts, ReleaseLinks } from '../../parts/release';
import { readTexts, Text } from '../../parts/texts';
import { Day } from '../../parts/time';

/** A release of a tag: its text, its files and its evidence. */
export const releasePage: ProjectPage = {
  at: '/releases/*tag',
  async show(visit, project, address) {
    const asked = { id: String(project.id), tag_name: address.params.tag ?? '' };
    const release = await visit.ask(getRelease, asked);
    const [description] = await readTexts(visit, project, [release.description ?? '']);
    const first = (pageOf(address) - 1) * perPage;
    const links = release.assets.links.slice(first, first + perPage);
    return inProject(visit, project, {
      title: release.name,
      heading: <Named>{release.name}</Named>,
      body: (
        <>
          <ReleaseFacts project={project} release={release} />
          {description && <Text {...description} />}
          <h2>Assets</h2>
          {links.length === 0 && <p class="dim">There are no links on this page.</p>}
          <ReleaseLinks links={links} />
          <Paging address={address} shown={links.length} />
          <Sources project={project} release={release} />
          <Evidences release={release} />
        </>
      ),
    });
  },
};

/** The archives of the tag. A browser downloads them without a token, which is possible if the code is public. */
const Sources = ({ project, release }: { project: Project; release: Release }) =>
  project.visibility === 'public' && project.repository_access_level !== 'private' ? (
    <ul class="facts">
      {release.assets.sources?.map(({ format, url }) => (
        <li key={format}>
          <a href={pathOf(url)}>Source code ({format})</a>
        </li>
      ))}
    </ul>
  ) : null;

const Evidences = ({ release: { evidences } }: { release: Release }) =>
  evidences.length === 0 ? null : (
    <>
      <h2>Evidence</h2>
      <ul class="list files">
        {evidences.map(({ sha, filepath, collected_at }) => (
          <li key={filepath}>
            <code>{sha}</code> <span class="dim">of</span> <Day at={collected_at} />
          </li>
        ))}
      </ul>
    </>
  );
