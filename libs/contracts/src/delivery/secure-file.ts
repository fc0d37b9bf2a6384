import { z } from 'zod';
import {
  Access,
  bytes,
  commonErrors,
  del,
  errors,
  type FileLimit,
  get,
  id,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  time,
  uploadedFile,
} from '../operation';

/** Of one project. */
export const mostSecureFiles = 100;

export const secureFileErrors = errors('secure_file', {
  notFound: { status: 404, message: '404 SecureFile Not Found', means: 'The project has no such file.' },
  taken: {
    status: 400,
    message: { name: ['has already been taken'] },
    means: 'The project has a file of that name.',
  },
  tooMany: {
    status: 400,
    message: { base: [`Maximum number of ci secure files (${mostSecureFiles}) exceeded`] },
    means: `A project has up to ${mostSecureFiles} of them, with those that are on their way.`,
  },
});

export const secureFileLimit: FileLimit<number> = { bytes: 5 * 1024 ** 2, tooLarge: () => commonErrors.tooLarge() };

const named = z.record(z.string(), z.string());

/** See docs/api/packages.md#5. */
export const SecureFile = z.object({
  id,
  name: z.string(),
  checksum: z.string().describe('Of its bytes, in hexadecimal digits'),
  checksum_algorithm: z.literal('sha256'),
  created_at: time,
  expires_at: time.nullable().describe('Of certificates; null for all others'),
  metadata: z
    .object({ id: z.string(), issuer: named, subject: named, expires_at: time })
    .nullable()
    .describe('Fields of a certificate (`.cer`); null for other files'),
  file_extension: z.string().nullable(),
});
export type SecureFile = z.infer<typeof SecureFile>;

const path = '/projects/:id/secure_files';
const one = { ...projectRef, secure_file_id: id.describe('Id of the file') };
const reads = { access: onProject({ level: Access.Developer }), takesJobToken: true };
const manages = { access: onProject({ level: Access.Maintainer }) };
const name = 'delivery.secure-files';

export const listSecureFiles = operation({
  ...reads,
  name: `${name}.list`,
  http: get(path),
  summary: 'Secure files of a project, the oldest first',
  input: z.object(projectRef),
  output: page(SecureFile),
});

export const getSecureFile = operation({
  ...reads,
  name: `${name}.get`,
  refusals: ['secure_file.not_found'],
  http: get(`${path}/:secure_file_id`),
  summary: 'One secure file, without its bytes',
  input: z.object(one),
  output: SecureFile,
});

export const downloadSecureFile = operation({
  ...reads,
  name: `${name}.download`,
  refusals: ['secure_file.not_found'],
  http: get(`${path}/:secure_file_id/download`),
  summary: 'The bytes of a secure file',
  input: z.object(one),
  output: bytes(),
});

export const createSecureFile = operation({
  ...manages,
  name: `${name}.create`,
  refusals: ['secure_file.taken', 'secure_file.too_many', 'common.too_large', 'common.disk_full'],
  http: post(path),
  summary: 'Upload a secure file for jobs',
  input: z.object({
    ...projectRef,
    name: z.string().min(1).max(255).describe('What jobs call it'),
    file: uploadedFile(secureFileLimit).describe('The file, of 5 MB at most'),
  }),
  output: SecureFile,
});

export const deleteSecureFile = operation({
  ...manages,
  name: `${name}.delete`,
  refusals: ['secure_file.not_found'],
  http: del(`${path}/:secure_file_id`),
  summary: 'Remove a secure file',
  input: z.object(one),
  output: nothing(),
});
