import type { ProjectRef } from '@moothall/contracts';
import { below } from './code-address';

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const;

/** The path of an archive with the files of a branch, a tag or a commit. */
export const archivePath = (project: ProjectRef, ref: string, format: string): string =>
  below(project, 'archive', ref, `${project.path}-${ref.replaceAll('/', '-')}.${format}`);

/** Links to download the files of a branch, a tag or a commit. */
export const ArchiveLinks = ({ project, at }: { project: ProjectRef; at: string }) => (
  <p class="parts">
    Download
    {formats.map((format) => (
      <a key={format} href={archivePath(project, at, format)} download>
        {format}
      </a>
    ))}
  </p>
);
