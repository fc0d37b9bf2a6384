import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  Access,
  createSecureFile,
  deleteSecureFile,
  downloadSecureFile,
  getSecureFile,
  listSecureFiles,
  type ProjectRef,
  projectDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { RemoveSecureFiles } from '../src/secure-file/remove-secure-files';
import { SecureFiles } from '../src/secure-file/secure-file.repository';
import { startDeliveryService } from './delivery-under-test';

const delivery = shareBetweenTests(startDeliveryService);

const { Developer, Maintainer } = Access;

const create = (project: ProjectRef, name: string, content: string | Buffer = 'bytes') => {
  const { bed } = delivery;
  return bed.call(createSecureFile, { id: 'x', name, file: bed.send(content) }, bed.as(project, Maintainer));
};

const list = async (project: ProjectRef) => {
  const { bed } = delivery;
  return (await bed.call(listSecureFiles, { id: 'x' }, bed.as(project, Developer))).items;
};

const remove = (project: ProjectRef, secure_file_id: number) => {
  const { bed } = delivery;
  return bed.call(deleteSecureFile, { id: 'x', secure_file_id }, bed.as(project, Maintainer));
};

const collection = () => delivery.under.running.app.get('SecureFileModel', { strict: false }).collection;

/** Keys of the stored files of a project. */
function objectsOf({ id }: ProjectRef): string[] {
  try {
    return readdirSync(path.join(delivery.folder, 'delivery/secure_files', String(id)));
  } catch {
    return [];
  }
}

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'ok',
    ({ code }) => code,
  );

/** A self-signed certificate, valid until 2126. */
const certificate = [
  'MIIByzCCAXGgAwIBAgIUKa4l76MuQNRJP9pT2PuigU5+Ap4wCgYIKoZIzj0EAwIwOjELMAkGA1UEBhMCREUxDjAMBgNVBAoMBUhvdXNlMQ0wCwYD',
  'VQQLDARLZXlzMQwwCgYDVQQDDANBZGEwIBcNMjYxMTI2MDM1ODQ0WhgPMjEyNjExMDIwMzU4NDRaMDoxCzAJBgNVBAYTAkRFMQ4wDAYDVQQKDAVI',
  'b3VzZTENMAsGA1UECwwES2V5czEMMAoGA1UEAwwDQWRhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdyZfGPqk8bqyOQ7SVxhZ0+/Uixv4YBYc',
  '3M/BjN3+fQEPMxcm1mLcP7aUDeiD03FcgEOuSHsfp22BMpQMLxiZ3KNTMFEwHQYDVR0OBBYEFFVOqyfL15KHmlruFjViZ3S9XlfSMB8GA1UdIwQY',
  'MBaAFFVOqyfL15KHmlruFjViZ3S9XlfSMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAJKHiWBvbt+j0e4d/yN4zilJVGXglD2j',
  'uuquJ0kKgeDAAiBWs8weq4R6HFp9cwWHa3ATVgbYXWGSefUONJyMN1Lnmw==',
].join('');

describe('a secure file', () => {
  it('is downloaded as uploaded, with its digest', async () => {
    const { bed } = delivery;
    const project = bed.project();
    const made = await create(project, 'upload-keystore.jks');
    const sha256 = '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9';
    expect(made).toMatchObject({
      ...{ name: 'upload-keystore.jks', checksum: sha256, checksum_algorithm: 'sha256' },
      ...{ file_extension: 'jks', expires_at: null, metadata: null },
    });
    expect(await list(project)).toEqual([made]);
    const asked = { id: 'x', secure_file_id: made.id };
    expect(await bed.call(getSecureFile, asked, bed.as(project))).toEqual(made);
    const { url } = await bed.call(downloadSecureFile, asked, bed.as(project));
    const response = await fetch(url);
    expect(response.headers.get('content-disposition')).toContain('upload-keystore.jks');
    expect(await response.text()).toBe('bytes');
    const other = { ...asked, secure_file_id: made.id };
    expect(await codeOf(bed.call(getSecureFile, other, bed.as(bed.project())))).toBe('secure_file.not_found');
  });

  it('shows the fields of a certificate, and nothing for other files', async () => {
    const project = delivery.bed.project();
    const made = await create(project, 'ada.cer', Buffer.from(certificate, 'base64'));
    const who = { C: 'DE', O: 'House', OU: 'Keys', CN: 'Ada' };
    expect(made.metadata).toMatchObject({ id: expect.stringMatching(/^[0-9A-F]+$/), issuer: who, subject: who });
    expect(made.expires_at).toBe('2126-11-02T03:58:44.000Z');
    expect(await create(project, 'none.cer', 'text')).toMatchObject({ metadata: null, expires_at: null });
    expect(await create(project, '.profile')).toMatchObject({ file_extension: null });
  });

  it('has a unique name, which is free again after its deletion', async () => {
    const project = delivery.bed.project();
    const { id } = await create(project, 'one');
    expect(await codeOf(create(project, 'one'))).toBe('secure_file.taken');
    await remove(project, id);
    expect(await codeOf(remove(project, id))).toBe('secure_file.not_found');
    expect([await list(project), objectsOf(project)]).toEqual([[], []]);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(create(project, 'one'))));
    expect(codes.sort()).toEqual(['ok', 'secure_file.taken', 'secure_file.taken']);
    expect(objectsOf(project)).toHaveLength(1);
  });

  it('is one of a hundred at most, also under concurrent uploads', async () => {
    const project = delivery.bed.project();
    // Older than all later ones, so with lower ids.
    const before = Array.from({ length: 98 }, (_, at) => ({
      ...{ _id: -project.id * 1000 - at, projectId: project.id, name: `${at}`, slot: `${project.id}/${at}` },
      ...{ status: 'stored', sha256: '', metadata: null, createdAt: new Date() },
    }));
    await collection().insertMany(before as never);
    const codes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => codeOf(create(project, name))));
    expect(codes.sort()).toEqual(['ok', 'ok', 'secure_file.too_many', 'secure_file.too_many']);
  });

  it('cannot be created or deleted in an archived project', async () => {
    const project = delivery.bed.project();
    const { id } = await create(project, 'one');
    const archived = { ...project, isArchived: true };
    expect(await codeOf(create(archived, 'two'))).toBe('common.forbidden');
    expect(await codeOf(remove(archived, id))).toBe('common.forbidden');
  });

  it('is deleted with its project', async () => {
    const { bed, under } = delivery;
    const project = bed.project();
    await create(project, 'one');
    bed.removeProject(project);
    const { id: project_id, fullPath: full_path, storage } = project;
    await under.emit(projectDeleted, { project_id, full_path, storage });
    await eventually(async () => (await list(project)).length === 0 && objectsOf(project).length === 0);
    expect(await codeOf(create(project, 'late'))).not.toBe('ok');
    expect(objectsOf(project)).toEqual([]);
  });

  it('leaves nothing after an interrupted upload', async () => {
    const { bed, under } = delivery;
    const project = bed.project();
    const { id } = await create(project, 'one');
    const hourAgo = new Date(Date.now() - 2 * 3_600_000);
    await collection().updateOne({ _id: id as never }, { $set: { status: 'receiving', createdAt: hourAgo } });
    await under.running.app.get(RemoveSecureFiles, { strict: false }).run();
    expect([await list(project), objectsOf(project)]).toEqual([[], []]);
    const files = under.running.app.get(SecureFiles, { strict: false });
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('gone');
      })(),
    );
    await expect(files.add({ projectId: project.id, name: 'half' }, broken)).rejects.toThrow('gone');
    expect([await list(project), objectsOf(project)]).toEqual([[], []]);
  });
});
