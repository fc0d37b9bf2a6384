import {
  deletePackage,
  deletePackageFile,
  downloadGenericPackage,
  getPackage,
  listPackageFiles,
  type OutputOf,
} from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectFile, ProjectPage } from '../../page/page';
import { Bytes } from '../../parts/bytes';
import { below } from '../../parts/code-address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { inProject } from '../../parts/in-project';
import { numberIn } from '../../parts/number-in';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Day } from '../../parts/time';

type File = OutputOf<typeof listPackageFiles>['items'][number];

/** A package with its files, the newest first. */
export const packagePage: ProjectPage = {
  at: '/packages/:id',
  async show(visit, project, address) {
    const asked = { id: String(project.id), package_id: numberIn(address, 'id') };
    const [shown, files, deletes] = await Promise.all([
      visit.ask(getPackage, asked),
      visit.ask(listPackageFiles, { ...asked, sort: 'desc', page: pageOf(address), per_page: perPage }),
      visit.may(deletePackage, project),
    ]);
    const path = below(project, `packages/${shown.id}`);
    return inProject(visit, project, {
      title: `${shown.name} ${shown.version}`,
      heading: (
        <>
          <Named>{shown.name}</Named> <Named>{shown.version}</Named>
        </>
      ),
      body: (
        <>
          <ul class="facts">
            <li class="tag">{shown.package_type}</li>
            {shown.status !== 'default' && <li class="tag">{shown.status}</li>}
            <li>
              <Day at={shown.created_at} />
            </li>
          </ul>
          {deletes && (
            <ConfirmedAction
              {...{ visit, address }}
              name="delete"
              word="Delete package"
              consequence="The package is deleted with its files. Builds that need it fail."
            />
          )}
          <h2>Files</h2>
          {files.items.length === 0 && <p class="dim">The package has no files.</p>}
          <ul class="list">
            {files.items.map((file) => (
              <li key={file.id}>
                <FileItem file={file} path={path} />
                {deletes && (
                  <ConfirmedAction
                    {...{ visit, address }}
                    name="delete-file"
                    of={String(file.id)}
                    word="Delete file"
                    consequence="Builds that need it fail."
                  />
                )}
              </li>
            ))}
          </ul>
          <Paging address={address} shown={files.items.length} />
        </>
      ),
    });
  },
  forms: {
    async delete(visit, project, address) {
      await visit.ask(deletePackage, { id: String(project.id), package_id: numberIn(address, 'id') });
      return below(project, 'packages');
    },
    async 'delete-file'(visit, project, address, sent) {
      const package_id = numberIn(address, 'id');
      await visit.submit(deletePackageFile, { id: String(project.id), package_id, package_file_id: sent.text('of') });
      return below(project, `packages/${package_id}`);
    },
  },
};

/** Of several files with the same name, the newest. */
export const packageFile: ProjectFile = {
  at: '/packages/:id/files/*name',
  async open(visit, id, address) {
    const { name, version } = await visit.ask(getPackage, { id, package_id: numberIn(address, 'id') });
    const asked = { id, package_name: name, package_version: version, file_name: address.params.name ?? '' };
    return visit.ask(downloadGenericPackage, asked);
  },
};

const FileItem = ({ file: { file_name, size, file_sha256, created_at }, path }: { file: File; path: string }) => (
  <>
    <p>
      <a href={`${path}/files/${file_name.split('/').map(encodeURIComponent).join('/')}`}>
        <Named>{file_name}</Named>
      </a>
    </p>
    <p class="dim">
      <Bytes count={size} />, <Day at={created_at} />, SHA-256 <code>{file_sha256}</code>
    </p>
  </>
);
