import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createGroup,
  createProject,
  deleteProject,
  downloadGroupExport,
  exportGroup,
  exportGroupRecords,
  getGroupExport,
  getProjectAvatar,
  getUpload,
  updateProject,
  uploadFile,
} from '@moothall/contracts';
import { eventually, itWithoutFaults, UploadStore } from '@moothall/testing';
import S3rver from 's3rver';
import { type ProjectsUnderTest, startProjects, uniqueName } from './projects-under-test';

/* The real service with its files in a bucket: avatars, uploads and exports, stored and deleted. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-bucket-'));
let s3: S3rver;
let projects: ProjectsUnderTest;
let files: UploadStore;

beforeAll(async () => {
  const configureBuckets = [{ name: 'moothall' }];
  s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets });
  const { port } = await s3.run();
  files = await UploadStore.start();
  projects = await startProjects({
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY: 'S3RVER',
    S3_SECRET_KEY: 'S3RVER',
  });
  projects.respond(exportGroupRecords, ({ kind }) => ({ [kind]: [], next_after_id: null }));
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Without the marker by which replicas recognise shared storage. */
const objects = (): string[] =>
  readdirSync(path.join(folder, 'moothall'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('._S3rver_object') && !name.includes('instance/marker'));
const contentOf = async ({ url }: { url: string }) => Buffer.from(await (await fetch(url)).arrayBuffer());

// Files of a failed attempt are removed later by a periodic job.
itWithoutFaults('stores uploads of users, until the project is deleted', async () => {
  const ann = await projects.user();
  const project = await projects.ask(ann, createProject, { name: 'tool' });
  const id = String(project.id);
  await projects.ask(ann, updateProject, { id, avatar: files.add(png, 'logo.png') });
  expect(await contentOf(await projects.ask(ann, getProjectAvatar, { id }))).toEqual(png);
  const large = Buffer.alloc(9 * 1024 ** 2, 'x');
  const upload = await projects.ask(ann, uploadFile, { id, file: files.add(large, 'large.bin') });
  const presigned = await projects.ask(ann, getUpload, { id, secret: upload.id, filename: 'large.bin' });
  expect((await contentOf(presigned)).equals(large)).toBe(true);
  expect(objects()).toHaveLength(2);
  await projects.ask(ann, deleteProject, { id });
  await eventually(() => objects().length === 0, 'the end of its files');
});

it('hands out exports', async () => {
  const ann = await projects.user();
  const name = uniqueName('group');
  const id = String((await projects.ask(ann, createGroup, { name, path: name })).id);
  await projects.ask(ann, exportGroup, { id });
  const isDone = async () => (await projects.ask(ann, getGroupExport, { id })).export_status === 'finished';
  await eventually(isDone, 'the export');
  const archive = await contentOf(await projects.ask(ann, downloadGroupExport, { id }));
  expect(archive.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
});
