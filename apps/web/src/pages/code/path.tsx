import { findPath, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { ArchiveLinks } from '../../parts/archive-links';
import { below, type Found } from '../../parts/code-address';
import { Folder, readFolder } from '../../parts/folder';
import { inProject } from '../../parts/in-project';
import { PathFacts } from '../../parts/path-facts';
import { readFile, ShownFile } from './file';

/** A file or a folder of a branch, a tag or a commit: `tree` and `blob` both show what the path names. */
export const pathPage: ProjectPage = {
  at: ['/tree{/*rest}', '/blob/*rest'],
  async show(visit, project, address) {
    const found = await visit.ask(findPath, { id: String(project.id), ref_and_path: address.params.rest ?? '' });
    if (found.type === 'commit') return undefined;
    const isFile = found.type === 'blob';
    return inProject(visit, project, {
      title: found.path || found.ref,
      heading: <PathHeading project={project} found={found} />,
      body: (
        <>
          <PathFacts shownRef={found.ref} links={linksOf(project, found)} />
          {isFile ? (
            <ShownFile {...(await readFile(visit, project, found, address))} />
          ) : (
            <Folder {...(await readFolder(visit, project, found, address))} />
          )}
          {found.path === '' && <ArchiveLinks project={project} at={found.ref} />}
        </>
      ),
    });
  },
};

/** Limit of links: the address of each contains those before it. */
const mostFolders = 50;

/** The path, each folder of it as a link; of a very deep path, only the last ones. */
const PathHeading = ({ project, found: { ref, path } }: { project: ProjectRef; found: Found }) => {
  const segments = path === '' ? [] : path.split('/');
  const last = segments.length - 1;
  const first = Math.max(0, segments.length - mostFolders);
  return (
    <>
      {segments.length === 0 ? (
        <Named>{project.path}</Named>
      ) : (
        <a href={below(project, 'tree', ref)}>
          <Named>{project.path}</Named>
        </a>
      )}
      {first > 0 && ' / …'}
      {segments.slice(first).map((segment, at) => (
        <>
          {' / '}
          {first + at === last ? (
            <Named>{segment}</Named>
          ) : (
            <a href={below(project, 'tree', ref, segments.slice(0, first + at + 1).join('/'))}>
              <Named>{segment}</Named>
            </a>
          )}
        </>
      ))}
    </>
  );
};

const linksOf = (project: ProjectRef, { ref, path, commit_id }: Found) => ({
  History: below(project, 'commits', ref, path),
  [`Commit ${commit_id.slice(0, 8)}`]: below(project, 'commit', commit_id),
});
