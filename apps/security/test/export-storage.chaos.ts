import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  downloadVulnerabilityExport,
  exportProjectVulnerabilities,
  getVulnerabilityExport,
  type ProjectRef,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, SmallDisk } from '@moothall/testing';
import S3rver from 's3rver';
import { sastReport } from './reports';
import { startSecurityService } from './security-under-test';

/* The real service with its files on a full disk, and in a bucket. */

type Security = Awaited<ReturnType<typeof startSecurityService>>;

const holes = Array.from({ length: 20 }, (_, line) => ({ file: 'a.js', line: line + 1, name: `Hole ${line}` }));

async function scanned({ bed }: Security): Promise<ProjectRef> {
  const project = bed.project();
  await bed.ingest(project, sastReport(holes));
  return project;
}

/** Reports are deleted once they are read, which would free space on a full disk. */
const reportsGo = (folder: string): Promise<unknown> =>
  eventually(() => readdirSync(path.join(folder, 'security/reports')).length === 0, 'a disk without reports');

async function exported({ bed }: Security, project: ProjectRef, status: 'finished' | 'failed') {
  const caller = callerNamed('ada');
  const as = contextOf({ caller });
  const given = { id: String(project.id) };
  const { id: export_id } = await bed.call(exportProjectVulnerabilities, given, bed.as(project, caller));
  const end = async () => {
    const now = await bed.call(getVulnerabilityExport, { export_id }, as);
    return ['finished', 'failed'].includes(now.status) ? now.status : undefined;
  };
  expect(await eventually(end, 'the end of an export', 90_000)).toBe(status);
  return { export_id, download: () => bed.call(downloadVulnerabilityExport, { export_id }, as) };
}

/** Each row begins with its group; a cell may contain line breaks. */
async function rowsOf({ url }: { url: string }): Promise<string[]> {
  return (await (await fetch(url)).text()).split('\n').filter((line) => line.startsWith('Group 1,'));
}

const disk = SmallDisk.tryMount(12);
afterAll(() => disk?.unmount());

(disk ? describe : describe.skip)('a disk that is full', () => {
  it('fails exports, stores no partial ones, and creates them again when there is space', async () => {
    const security = await startSecurityService({ OBJECT_STORAGE_DIR: disk!.folder, EXPORT_PART_ROWS: '5' });
    try {
      const project = await scanned(security);
      await reportsGo(disk!.folder);
      disk!.fill();
      const { export_id, download } = await exported(security, project, 'failed');
      await expect(download()).rejects.toMatchObject({ code: 'vulnerability_export.not_found' });
      const left = readdirSync(path.join(disk!.folder, 'security'), { recursive: true }).map(String);
      expect(left.filter((name) => name.endsWith('.csv') && name.includes(`${export_id}/`))).toEqual([]);
      disk!.makeRoom();
      expect(await rowsOf(await (await exported(security, project, 'finished')).download())).toHaveLength(20);
    } finally {
      disk!.makeRoom();
      await security.stop();
    }
  }, 240_000);
});

describe('a bucket', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-bucket-'));
  let s3: S3rver;
  let security: Security;

  beforeAll(async () => {
    const configureBuckets = [{ name: 'moothall' }];
    s3 = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets });
    const { port } = await s3.run();
    security = await startSecurityService({
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY: 'S3RVER',
      S3_SECRET_KEY: 'S3RVER',
      EXPORT_PART_ROWS: '5',
    });
  });
  afterAll(async () => {
    await security?.stop();
    await s3?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has reports until they are read, and exports part by part', async () => {
    const project = await scanned(security);
    const { download } = await exported(security, project, 'finished');
    expect(await rowsOf(await download())).toHaveLength(20);
    const objects = readdirSync(path.join(folder, 'moothall'), { recursive: true }).map(String);
    expect(objects.filter((name) => name.includes('reports/') && name.endsWith('_object'))).toEqual([]);
    expect(
      objects.filter((name) => name.includes('exports/') && name.endsWith('.csv._S3rver_object')).length,
    ).toBeGreaterThan(3);
  }, 120_000);
});
