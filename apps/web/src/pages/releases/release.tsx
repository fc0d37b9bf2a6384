import { deleteRelease, getRelease, type ProjectRef, type Release, updateRelease } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { archivePath } from '../../parts/archive-links';
import { below } from '../../parts/code-address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { ReleaseFacts, ReleaseLinks } from '../../parts/release';
import { longestText, readTexts, Text } from '../../parts/texts';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';
import { releaseAt } from './release-address';

/** A release of a tag: its text, its files and its evidence. */
export const releasePage: ProjectPage = {
  at: '/releases/*tag',
  async show(visit, project, address) {
    const asked = releaseAt(project, address);
    const release = await visit.ask(getRelease, asked, longestText);
    const [[description], changes] = await Promise.all([
      readTexts(visit, project, [release.description ?? '']),
      visit.may(updateRelease, project),
    ]);
    const first = (pageOf(address) - 1) * perPage;
    const links = release.assets.links.slice(first, first + perPage);
    return inProject(visit, project, {
      title: release.name,
      heading: <Named>{release.name}</Named>,
      body: (
        <>
          <ReleaseFacts project={project} release={release} />
          {changes && <Changes visit={visit} project={project} address={address} tag={asked.tag_name} />}
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
  forms: {
    delete: async (visit, project, address) => {
      await visit.ask(deleteRelease, releaseAt(project, address));
      return below(project, 'releases');
    },
  },
};

interface ChangesProps {
  visit: Visit;
  project: ProjectRef;
  address: Address;
  tag: string;
}

const Changes = ({ visit, project, address, tag }: ChangesProps) => (
  <>
    <div class="parts">
      <a href={below(project, 'releases', tag, 'edit')}>Edit</a>
    </div>
    <ConfirmedAction
      visit={visit}
      address={address}
      name="delete"
      word="Delete release"
      consequence="The release is deleted with its links and its evidence. The tag stays."
    />
  </>
);

/** The archives of the tag, for visitors who may read the code. */
const Sources = ({ project, release: { assets, tag_name = '' } }: { project: ProjectRef; release: Release }) => (
  <ul class="facts">
    {assets.sources?.map(({ format }) => (
      <li key={format}>
        <a href={archivePath(project, tag_name, format)} download>
          Source code ({format})
        </a>
      </li>
    ))}
  </ul>
);

const Evidences = ({ release: { evidences } }: { release: Release }) =>
  evidences.length === 0 ? null : (
    <>
      <h2>Evidence</h2>
      <ul class="list files">
        {evidences.map(({ sha, filepath, collected_at }) => (
          <li key={filepath}>
            <a href={pathOf(filepath)}>
              <code>{sha}</code>
            </a>{' '}
            <span class="dim">of</span> <Day at={collected_at} />
          </li>
        ))}
      </ul>
    </>
  );
