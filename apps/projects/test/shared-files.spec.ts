import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DiskStorage } from '@moothall/object-storage';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { SharedFiles } from '../src/files/shared-files';
import { type ProjectsUnderTest, startProjects } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects({ ROLES: 'api' });
});
afterAll(() => projects?.stop());

// Replicas with disks of their own did not find each other's files, and nobody said so.
it('says where a replica keeps files in another place than the others', async () => {
  const { app } = projects.running;
  const connection = app.get<Connection>(getConnectionToken(), { strict: false });
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'moothall-files-'));
  const first = app.get(SharedFiles, { strict: false });
  const other = new SharedFiles(connection, new DiskStorage(elsewhere));
  await first.check();
  await first.check();
  await expect(other.check()).rejects.toThrow('give all one volume, or a bucket');
  await expect(other.check()).rejects.toThrow('give all one volume, or a bucket');
  await first.check();
  rmSync(elsewhere, { recursive: true, force: true });
});
