import {
  Access,
  type listPackageFiles,
  type OutputOf,
  type Package as PackageView,
  type ProjectRef,
} from '@moothall/contracts';
import type { Package } from './package.schema';
import type { PackageFile } from './package-file.schema';

type FileView = OutputOf<typeof listPackageFiles>['items'][number];

export function viewPackage(found: Package, project: ProjectRef, externalUrl: string): PackageView {
  const { _id: id, name, version, status, createdAt, creatorId } = found;
  const delete_api_path = `${externalUrl}/api/v4/projects/${project.id}/packages/${id}`;
  return {
    id,
    name,
    version,
    package_type: 'generic',
    status: status === 'hidden' ? 'hidden' : 'default',
    _links: {
      web_path: `/${project.fullPath}/-/packages/${id}`,
      ...(project.accessLevel >= Access.Maintainer && { delete_api_path }),
    },
    created_at: createdAt.toISOString(),
    last_downloaded_at: null,
    creator_id: creatorId,
    tags: [],
  };
}

export const viewFile = ({ _id: id, name, sizeBytes, sha256, sha1, createdAt }: PackageFile, packageId: number) =>
  ({
    id,
    package_id: packageId,
    created_at: createdAt.toISOString(),
    file_name: name,
    size: sizeBytes,
    file_md5: null,
    file_sha1: sha1,
    file_sha256: sha256,
    pipelines: [],
  }) satisfies FileView;
