import { getArtifactFile, getJobArtifacts, listArtifactFolder } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectFile, ProjectPage } from '../../page/page';
import { Bytes } from '../../parts/bytes';
import { below } from '../../parts/code-address';
import { inProject } from '../../parts/in-project';
import { numberIn } from '../../parts/number-in';

/** A folder of the artifacts of a job. */
export const artifactsPage: ProjectPage = {
  at: ['/jobs/:id/artifacts', '/jobs/:id/artifacts/browse{/*path}'],
  async show(visit, project, address) {
    const job = numberIn(address, 'id');
    const folder = (address.params.path ?? '').replace(/\/+$/, '');
    const asked = { id: String(project.id), job_id: job, folder };
    const { folders, files, is_whole } = await visit.ask(listArtifactFolder, asked);
    const root = `jobs/${job}/artifacts`;
    const to = (kind: string, name: string) => below(project, `${root}/${kind}`, folder, name);
    return inProject(visit, project, {
      title: `Artifacts of job #${job}${folder && `: ${folder}`}`,
      body: (
        <>
          <p>
            <a href={below(project, `jobs/${job}`)}>Job #{job}</a>{' '}
            <a href={below(project, `${root}/download`)}>Download all files</a>
          </p>
          {folder !== '' && (
            <p>
              <a href={below(project, `${root}/browse`, folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))}>
                Folder above
              </a>
            </p>
          )}
          {folders.length + files.length === 0 && <p class="dim">The folder is empty.</p>}
          <ul class="list files">
            {folders.map((name) => (
              <li key={name}>
                <a href={to('browse', name)}>
                  <Named>{name}</Named>
                </a>
                /
              </li>
            ))}
            {files.map(({ name, size }) => (
              <li key={name}>
                <a href={to('raw', name)}>
                  <Named>{name}</Named>
                </a>{' '}
                <span class="dim">
                  <Bytes count={size} />
                </span>
              </li>
            ))}
          </ul>
          {!is_whole && <p class="dim">There are more files. Download the archive to see them.</p>}
        </>
      ),
    });
  },
};

/** The archive. */
export const artifactsFile: ProjectFile = {
  at: '/jobs/:id/artifacts/download',
  open: (visit, id, address) => visit.ask(getJobArtifacts, { id, job_id: numberIn(address, 'id') }),
};

/** One file of it. */
export const artifactFile: ProjectFile = {
  at: ['/jobs/:id/artifacts/raw/*path', '/jobs/:id/artifacts/file/*path'],
  open: (visit, id, address) =>
    visit.ask(getArtifactFile, { id, job_id: numberIn(address, 'id'), artifact_path: address.params.path ?? '' }),
};
