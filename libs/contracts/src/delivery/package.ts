import { z } from 'zod';
import {
  Access,
  bodyFile,
  bytes,
  commonErrors,
  del,
  type FileLimit,
  get,
  groupRef,
  id,
  internal,
  nothing,
  onGroup,
  onProject,
  operation,
  type PlanLimit,
  packageScopes,
  page,
  projectRef,
  put,
  sorting,
  time,
} from '../operation';

/**
 * Reading packages: everybody who sees a public or internal project, reporters of a private one. See
 * docs/api/packages.md#1.
 */
const reading = onProject({ levelInPrivate: Access.Reporter, anonymous: true });
const removing = onProject({ level: Access.Maintainer });

export const packageStatuses = ['default', 'hidden'] as const;
export type PackageStatus = (typeof packageStatuses)[number];

/** See docs/api/packages.md#3. */
export const Package = z.object({
  id,
  name: z.string(),
  version: z.string(),
  package_type: z.literal('generic'),
  status: z.enum(packageStatuses),
  _links: z.object({
    web_path: z.string(),
    delete_api_path: z.string().optional().describe('For users who may delete it'),
  }),
  created_at: time,
  last_downloaded_at: z.null(),
  creator_id: id.nullable().describe('Null where a deploy token made it'),
  project_id: id.optional().describe('In lists of groups'),
  project_path: z.string().optional().describe('In lists of groups'),
  tags: z.array(z.string()).describe('None: packages here have none'),
});
export type Package = z.infer<typeof Package>;

export const PackageDetail = Package.extend({
  pipelines: z.array(z.string()).describe('None: packages here have none'),
  versions: z.array(z.string()).describe('None: packages here have none'),
});

export const PackageFile = z.object({
  id,
  package_id: id,
  created_at: time,
  file_name: z.string(),
  size: z.int(),
  file_md5: z.null(),
  file_sha1: z.string(),
  file_sha256: z.string(),
  pipelines: z.array(z.string()).describe('None: packages here have none'),
});

/** The stored file, which an upload may request as its answer. */
export const StoredPackageFile = PackageFile.omit({ pipelines: true }).extend({
  updated_at: time,
  file_store: z.literal(1),
  file: z.object({ url: z.string() }),
});

export const packageFileLimit: FileLimit<PlanLimit> = {
  bytes: { plan: 'generic_packages_max_file_size' },
  tooLarge: () => commonErrors.tooLarge(),
};
/** Longer than the largest file takes at the minimum rate of a usable connection. */
const transferSeconds = 900;

const hasNoWayUp = (text: string): boolean => !text.includes('..');
const packageName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[A-Za-z0-9._+-]+$/, 'is invalid')
  .describe('Letters, digits, `.`, `_`, `-` and `+`');
const packageVersion = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\w.+-]+$/, 'is invalid')
  .refine(hasNoWayUp, 'is invalid')
  .describe('Letters, digits, `.`, `_`, `-` and `+`');
const fileName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\w.+-](?:[\w.+~@/-]*[\w.+-])?$/, 'is invalid')
  .refine((name) => hasNoWayUp(name) && !name.includes('//'), 'is invalid')
  .describe('Letters, digits, `.`, `_`, `-`, `+`, and within it `~`, `@` and slashes');
const ofFile = { ...projectRef, package_name: packageName, package_version: packageVersion, file_name: fileName };
const filePath = '/projects/:id/packages/generic/:package_name/:package_version/:file_name';

export const uploadGenericPackage = operation({
  name: 'delivery.generic-packages.upload',
  summary: 'Upload a file of a generic package',
  description:
    'The body is the file, whatever its type says; or the `file` of a multipart body. The package is made with its first file. Of several files of one name the newest is downloaded.',
  refusals: ['common.too_large', 'common.disk_full', 'package.too_many_files', 'package_protection.push_refused'],
  http: put(filePath, { success: 201, endsInPath: true }),
  access: onProject({ level: Access.Developer }),
  takesJobToken: true,
  scopes: ['write_package_registry'],
  input: z.object({
    ...ofFile,
    file: bodyFile(packageFileLimit).describe('The file'),
    status: z.enum(packageStatuses).optional().describe('A `hidden` package is in no list unless asked for'),
    select: z.enum(['package_file']).optional().describe('What the answer has besides a message'),
  }),
  output: z.union([StoredPackageFile, z.object({ message: z.literal('201 Created') })]),
  timeoutSeconds: transferSeconds,
});

export const downloadGenericPackage = operation({
  name: 'delivery.generic-packages.download',
  summary: 'Download a file of a generic package',
  refusals: ['package.file_not_found'],
  http: get(filePath, { endsInPath: true }),
  access: reading,
  takesJobToken: true,
  scopes: [...packageScopes],
  input: z.object(ofFile),
  output: bytes(),
});

const list = {
  ...sorting(['created_at', 'name', 'version', 'type', 'project_path'], 'asc'),
  package_type: z.string().optional().describe('Others than `generic` have no packages here'),
  package_name: z.string().max(255).optional().describe('Part of the name, in any case'),
  package_version: z.string().max(255).optional().describe('Exact'),
  include_versionless: z.boolean().default(false).describe('Has no effect: all have a version'),
  status: z.enum(packageStatuses).default('default'),
};

export const listProjectPackages = operation({
  name: 'delivery.packages.list',
  summary: 'Packages of a project, the oldest first',
  http: get('/projects/:id/packages'),
  access: reading,
  takesJobToken: true,
  scopes: [...packageScopes],
  input: z.object({ ...projectRef, ...list }),
  output: page(Package),
});

export const listGroupPackages = operation({
  name: 'delivery.group-packages.list',
  summary: 'Packages of the projects below a group, the oldest first',
  description: 'Only of projects whose packages the caller may read.',
  http: get('/groups/:id/packages'),
  access: onGroup({ anonymous: true }),
  input: z.object({
    ...groupRef,
    ...list,
    exclude_subgroups: z.boolean().default(false).describe('Only of projects of the group itself'),
  }),
  output: page(Package),
});

const ofPackage = { ...projectRef, package_id: id };

export const getPackage = operation({
  name: 'delivery.packages.get',
  summary: 'One package',
  refusals: ['package.not_found'],
  http: get('/projects/:id/packages/:package_id'),
  access: reading,
  takesJobToken: true,
  scopes: [...packageScopes],
  input: z.object(ofPackage),
  output: PackageDetail,
});

export const deletePackage = operation({
  name: 'delivery.packages.delete',
  summary: 'Delete a package with its files',
  refusals: ['package.not_found', 'package_protection.deletion_refused'],
  http: del('/projects/:id/packages/:package_id'),
  access: removing,
  takesJobToken: true,
  input: z.object(ofPackage),
  output: nothing(),
});

export const listPackageFiles = operation({
  name: 'delivery.package-files.list',
  summary: 'Files of a package, the oldest first',
  refusals: ['package.not_found'],
  http: get('/projects/:id/packages/:package_id/package_files'),
  access: reading,
  takesJobToken: true,
  scopes: [...packageScopes],
  input: z.object({
    ...ofPackage,
    order_by: z.enum(['id', 'created_at', 'file_name']).default('id'),
    sort: z.enum(['asc', 'desc']).default('asc'),
  }),
  output: page(PackageFile),
});

export const deletePackageFile = operation({
  name: 'delivery.package-files.delete',
  summary: 'Delete a file of a package',
  refusals: ['package.not_found', 'package.file_not_found', 'package_protection.deletion_refused'],
  http: del('/projects/:id/packages/:package_id/package_files/:package_file_id'),
  access: removing,
  takesJobToken: true,
  input: z.object({ ...ofPackage, package_file_id: id }),
  output: nothing(),
});

/** Total bytes of the packages of projects; projects without any are omitted. */
export const packageSizes = operation({
  name: 'delivery.packages.sizes',
  access: internal(),
  isRead: true,
  input: z.object({ project_ids: z.array(id).max(1000) }),
  output: z.array(z.object({ project_id: id, size_bytes: z.int() })),
});
