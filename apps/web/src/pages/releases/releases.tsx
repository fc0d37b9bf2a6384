import { createRelease, listReleases, type ProjectRef, type Release } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf } from '../../parts/paging';
import { ReleaseFacts, ReleaseLinks } from '../../parts/release';
import { longestText, readTexts, Text, type TextShown } from '../../parts/texts';

const releasesPerPage = 10;
/** Milestones and links of each release; its own page has all of them. */
const mostOfEach = 5;

/** The releases of a project, the latest first. */
export const releasesPage: ProjectPage = {
  at: '/releases',
  async show(visit, project, address) {
    const asked = { id: String(project.id), page: pageOf(address), per_page: releasesPerPage };
    const { items } = await visit.ask(listReleases, asked, longestText);
    const descriptions = items.map(({ description }) => description ?? '');
    const [texts, creates] = await Promise.all([
      readTexts(visit, project, descriptions),
      visit.may(createRelease, project),
    ]);
    return inProject(visit, project, {
      title: 'Releases',
      body: (
        <>
          {creates && (
            <p>
              <a href={below(project, 'releases/new')}>New release</a>
            </p>
          )}
          {items.length === 0 && <p class="dim">There are no releases.</p>}
          {texts.map((text, at) => (
            <ReleaseItem key={at} project={project} release={items[at] as Release} text={text} />
          ))}
          <Paging address={address} shown={items.length} full={releasesPerPage} />
        </>
      ),
    });
  },
};

const ReleaseItem = ({ project, release, text }: { project: ProjectRef; release: Release; text: TextShown }) => {
  const { name, tag_name: tag, milestones, assets } = release;
  const shown = { ...release, milestones: milestones?.slice(0, mostOfEach) };
  return (
    <article class="record">
      <h2>
        {tag === undefined ? (
          <Named>{name}</Named>
        ) : (
          <a href={below(project, 'releases', tag)}>
            <Named>{name}</Named>
          </a>
        )}
      </h2>
      <ReleaseFacts project={project} release={shown} />
      <Text {...text} level={2} />
      <ReleaseLinks links={assets.links.slice(0, mostOfEach)} />
      {assets.links.length > mostOfEach && <p class="dim">{assets.links.length - mostOfEach} more links.</p>}
    </article>
  );
};
