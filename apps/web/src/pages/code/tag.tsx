import { getTag, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { ArchiveLinks } from '../../parts/archive-links';
import { below } from '../../parts/code-address';
import { CommitTitle } from '../../parts/commit-title';
import { inProject } from '../../parts/in-project';
import { Day } from '../../parts/time';

type Tag = OutputOf<typeof getTag>;

const mostOfMessage = 64 * 1024;

/** A tag: its message, its commit and its files. `tag_path` of releases. */
export const tagPage: ProjectPage = {
  at: '/tags/*tag',
  async show(visit, project, address) {
    const tag = await visit.ask(getTag, { id: String(project.id), tag_name: address.params.tag ?? '' });
    return inProject(visit, project, {
      title: `Tag ${tag.name}`,
      heading: (
        <>
          Tag <Named>{tag.name}</Named>
        </>
      ),
      body: (
        <>
          {tag.message && <pre>{tag.message.slice(0, mostOfMessage)}</pre>}
          <Facts project={project} tag={tag} />
          <ArchiveLinks project={project} at={tag.name} />
        </>
      ),
    });
  },
};

const Facts = ({
  project,
  tag: { name, commit, release, protected: isProtected },
}: {
  project: ProjectRef;
  tag: Tag;
}) => (
  <ul class="facts">
    <li>
      <a href={below(project, 'commit', commit.id)}>
        <code>{commit.short_id}</code>
      </a>{' '}
      <CommitTitle title={commit.title} />, <Day at={commit.committed_date} />
    </li>
    <li>
      <a href={below(project, 'tree', name)}>Files</a>
    </li>
    {release && (
      <li>
        <a href={below(project, 'releases', name)}>Release</a>
      </li>
    )}
    {isProtected && <li class="tag">protected</li>}
  </ul>
);
