import { listTree, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { below, type Found } from './code-address';
import { Document, type DocumentShown, readDocument } from './document';
import { Paging, pageOf } from './paging';

type Entry = OutputOf<typeof listTree>['items'][number];

const entriesPerPage = 100;

export interface FolderShown {
  project: ProjectRef;
  address: Address;
  found: Found;
  entries: readonly Entry[];
  /** The README of the folder. */
  readme: (DocumentShown & { name: string }) | undefined;
}

/** Reads a folder: the files of one page, and the README. */
export async function readFolder(
  visit: Visit,
  project: ProjectRef,
  found: Found,
  address: Address,
): Promise<FolderShown> {
  const { ref, commit_id, path } = found;
  const page = pageOf(address);
  const asked = { id: String(project.id), ref: commit_id, path, page, per_page: entriesPerPage };
  const { items: entries } = await visit.ask(listTree, asked);
  const entry = entries.find(({ type, name }) => type === 'blob' && /^readme(\.\w+)?$/i.test(name));
  const readme = entry && (await readDocument(visit, project, { ref, commit_id, path: entry.path }));
  return { project, address, found, entries, readme: readme && { ...readme, name: entry.name } };
}

/** The files and folders of a folder, and its README. */
export const Folder = ({ project, address, found, entries, readme }: FolderShown) => (
  <>
    <ul class="list files">
      {entries.map((entry) => (
        <li key={entry.path}>
          <EntryLink project={project} found={found} entry={entry} />
        </li>
      ))}
    </ul>
    <Paging address={address} shown={entries.length} full={entriesPerPage} />
    {readme && (
      <section aria-labelledby="readme">
        <h2 id="readme">
          <Named>{readme.name}</Named>
        </h2>
        <Document {...readme} level={2} />
      </section>
    )}
  </>
);

const pages = { tree: 'tree', blob: 'blob' } as const;

const EntryLink = ({ project, found, entry }: { project: ProjectRef; found: Found; entry: Entry }) => {
  const { type, name, path, id } = entry;
  if (type === 'commit')
    return (
      <>
        <Named>{name}</Named> <span class="dim">submodule at {id.slice(0, 8)}</span>
      </>
    );
  return (
    <>
      <a href={below(project, pages[type], found.ref, path)}>
        <Named>{name}</Named>
      </a>
      {type === 'tree' && '/'}
    </>
  );
};
