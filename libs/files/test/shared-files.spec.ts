import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { DiskStorage } from '@moothall/object-storage';
import { type Connection, createConnection } from 'mongoose';
import { SharedFiles } from '../src';

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-files-'));
let infrastructure: TestInfrastructure;
let connection: Connection;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  const dbName = `${infrastructure.mongodbPrefix}_files`;
  connection = await createConnection(infrastructure.mongodbUri, { dbName }).asPromise();
});
afterAll(async () => {
  await connection?.close();
  await infrastructure?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const replicaWith = (disk: string) => new SharedFiles(connection, new DiskStorage(path.join(folder, disk)));

// Replicas with separate disks did not find each other's files, and nothing reported it.
it('logs that a replica stores files in another folder than the others', async () => {
  const [first, second, other] = ['shared', 'shared', 'own'].map(replicaWith) as [
    SharedFiles,
    SharedFiles,
    SharedFiles,
  ];
  await Promise.all([first.check(), second.check()]);
  await expect(other.check()).rejects.toThrow('give all one volume, or a bucket');
  await expect(other.check()).rejects.toThrow('give all one volume, or a bucket');
  await Promise.all([first.check(), second.check()]);
});
