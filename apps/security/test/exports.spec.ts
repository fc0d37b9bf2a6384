import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  Access,
  addDashboardProject,
  commonErrors,
  downloadVulnerabilityExport,
  exportDashboardVulnerabilities,
  exportGroupVulnerabilities,
  exportProjectVulnerabilities,
  getVulnerabilityExport,
  groupDeleted,
  type ProjectRef,
  projectDeleted,
  vulnerabilityExportErrors,
} from '@moothall/contracts';
import { ObjectStorage } from '@moothall/object-storage';
import { callerNamed, contextOf, eventually, groupNamed, shareBetweenTests, uniqueId } from '@moothall/testing';
import { RunExport } from '../src/export/run-export';
import { folderOf, VulnerabilityExports } from '../src/export/vulnerability-export.repository';
import { containerReport, sastReport } from './reports';
import { startSecurityService } from './security-under-test';

const header =
  'Group Name,Project Name,Scanner Type,Scanner Name,Status,Vulnerability,Details,Additional Info,Severity,CVE';
const notFound = { code: vulnerabilityExportErrors.notFound.code };

describe('an export of vulnerabilities', () => {
  const security = shareBetweenTests(() => startSecurityService({ EXPORT_PART_ROWS: '3' }));
  afterEach(() => jest.restoreAllMocks());

  function exporting(caller = callerNamed('ada')) {
    const { bed } = security;
    const as = contextOf({ caller });
    const get = (export_id: number) => bed.call(getVulnerabilityExport, { export_id }, as);
    const download = async (export_id: number) => {
      const { url } = await bed.call(downloadVulnerabilityExport, { export_id }, as);
      const answer = await fetch(url);
      return { answer, text: await answer.text() };
    };
    const start = (project: ProjectRef) =>
      bed.call(exportProjectVulnerabilities, { id: String(project.id) }, bed.as(project, caller));
    const finished = async (export_id: number) => {
      await eventually(async () => (await get(export_id)).status === 'finished', 'the export');
      return (await download(export_id)).text;
    };
    return { bed, caller, as, get, download, start, finished };
  }

  /** With that many vulnerabilities of code, and one of its image. */
  async function scanned(count: number, over: Partial<ProjectRef> = {}) {
    const { bed } = security;
    const project = bed.project(over);
    const holes = Array.from({ length: count }, (_, at) => ({
      file: 'a.js',
      line: at + 1,
      name: `Hole ${at}`,
      severity: at % 2 ? 'High' : 'Low',
    }));
    await bed.ingest(project, sastReport(holes));
    await bed.ingest(project, containerReport());
    return project;
  }

  it('has all of a project, the worst first, part by part', async () => {
    const { start, finished, get, download } = exporting();
    const project = await scanned(6);
    const created = await start(project);
    expect(created).toMatchObject({
      project_id: project.id,
      group_id: null,
      format: 'csv',
      status: 'created',
      started_at: null,
      finished_at: null,
      _links: { self: `http://moothall.test/api/v4/security/vulnerability_exports/${created.id}` },
    });
    const text = await finished(created.id);
    expect(text.split('\n')[0]).toBe(header);
    expect(text.split('\n')[1]).toBe(
      `Group 1,${project.name},container_scanning,Trivy,detected,CVE-2017-16997 in glibc,elf/dl-load.c mishandles RPATH and RUNPATH.,CVE-2017-16997 in glibc,critical,CVE-2017-16997`,
    );
    const titles = [...text.matchAll(/Hole \d/g)].map(([title]) => title);
    expect(titles).toEqual(['Hole 1', 'Hole 3', 'Hole 5', 'Hole 0', 'Hole 2', 'Hole 4']);
    expect(await get(created.id)).toMatchObject({ status: 'finished', finished_at: expect.any(String) });
    const { answer } = await download(created.id);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="group-${project.path}_vulnerabilities_\\d{4}-\\d\\d-\\d\\dT\\d{4}.csv"`),
    );
  });

  it('of nothing has its header', async () => {
    const { bed, start, finished } = exporting();
    expect(await finished((await start(bed.project())).id)).toBe(`${header}\n`);
  });

  it('of a group has the projects that its author sees below it', async () => {
    const { bed, caller, finished, get } = exporting();
    const groupId = uniqueId();
    const [one, closed] = [await scanned(2, { groupIds: [groupId] }), await scanned(2, { groupIds: [groupId] })];
    bed.setProject(closed!, { accessLevel: Access.Reporter });
    const context = contextOf({ caller, group: groupNamed('group', { id: groupId, fullPath: 'top/sub' }) });
    const { id, group_id, project_id } = await bed.call(exportGroupVulnerabilities, { id: String(groupId) }, context);
    expect({ group_id, project_id }).toEqual({ group_id: groupId, project_id: null });
    const text = await finished(id);
    expect(text).toContain(`Group ${groupId},${one!.name},`);
    expect(text).not.toContain(closed!.name);
    await security.under.emit(groupDeleted, { group_id: groupId, full_path: 'top/sub' });
    await eventually(
      () =>
        get(id).then(
          () => false,
          () => true,
        ),
      'its end with its group',
    );
  });

  it('of a dashboard contains its projects, the worst of all first', async () => {
    const { bed, as, finished } = exporting();
    for (const project of [await scanned(2), await scanned(2)])
      await bed.call(addDashboardProject, { project_id: project.id }, as);
    const { id } = await bed.call(exportDashboardVulnerabilities, {}, as);
    const text = await finished(id);
    const rows = text.matchAll(/,(critical|high|low),/g);
    expect([...rows].map(([, severity]) => severity)).toEqual(['critical', 'critical', 'high', 'high', 'low', 'low']);
    // The parts were full with the last row: no empty part follows.
    expect(text.endsWith('\n') && !text.endsWith('\n\n')).toBe(true);
  });

  it('is created for each request', async () => {
    const { start, finished } = exporting();
    const project = await scanned(10);
    const ids = await Promise.all([start(project), start(project), start(project)]);
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
    const texts = await Promise.all(ids.map(({ id }) => finished(id)));
    expect(new Set(texts).size).toBe(1);
  });

  it('is refused for a user with ten running ones, however they are started', async () => {
    const { bed, caller, as, finished } = exporting(callerNamed('greedy'));
    const queued = jest.spyOn(security.under.running.app.get(RunExport, { strict: false }), 'queue');
    queued.mockResolvedValue();
    const asked = await Promise.allSettled(
      Array.from({ length: 15 }, () => bed.call(exportDashboardVulnerabilities, {}, as)),
    );
    const refused = asked.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: commonErrors.tooManyRequests.code });
    await expect(
      bed.call(exportDashboardVulnerabilities, {}, contextOf({ caller: callerNamed('ada') })),
    ).resolves.toBeTruthy();
    // The periodic job finds exports without a job.
    for (const each of asked) if (each.status === 'fulfilled') await finished(each.value.id);
    await expect(bed.call(exportDashboardVulnerabilities, {}, contextOf({ caller }))).resolves.toBeTruthy();
  }, 120_000);

  it('is visible only to its author', async () => {
    const { start, finished } = exporting();
    const { id } = await start(await scanned(1));
    await finished(id);
    const other = exporting(callerNamed('eve', { isAdmin: true }));
    await expect(other.get(id)).rejects.toMatchObject(notFound);
    await expect(other.download(id)).rejects.toMatchObject(notFound);
    await expect(other.get(id + 100_000)).rejects.toMatchObject(notFound);
  });

  it('is not found while exports are disabled', async () => {
    const { bed, as, start, finished, get, download } = exporting();
    const project = await scanned(1);
    const { id } = await start(project);
    await finished(id);
    bed.isExporting = false;
    try {
      const off = { code: commonErrors.notFound.code };
      await expect(start(project)).rejects.toMatchObject(off);
      await expect(bed.call(exportDashboardVulnerabilities, {}, as)).rejects.toMatchObject(off);
      await expect(get(id)).rejects.toMatchObject(off);
      await expect(download(id)).rejects.toMatchObject(off);
    } finally {
      bed.isExporting = true;
    }
  });

  it('is not sent to an author who may no longer see the vulnerabilities', async () => {
    const { bed, caller, start, finished, get, download } = exporting();
    const project = await scanned(1);
    const { id } = await start(project);
    await finished(id);
    bed.setProject(project, { accessLevel: Access.Reporter });
    await expect(get(id)).rejects.toMatchObject(notFound);
    await expect(download(id)).rejects.toMatchObject(notFound);
    const group = groupNamed('left', { id: uniqueId() });
    const ofGroup = await bed.call(exportGroupVulnerabilities, { id: String(group.id) }, contextOf({ caller, group }));
    await finished(ofGroup.id);
    bed.groupLevel = Access.Reporter;
    try {
      await expect(download(ofGroup.id)).rejects.toMatchObject(notFound);
    } finally {
      bed.groupLevel = Access.Developer;
    }
  });

  it('is deleted an hour after its creation, with its file, also after a stop of the service', async () => {
    const { start, finished, get, download } = exporting();
    const { id } = await start(await scanned(1));
    await finished(id);
    const files = () => readdirSync(path.join(security.folder, 'security', 'exports'));
    expect(files()).toContain(String(id));
    const later = Date.now() + 3_600_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    await expect(get(id)).rejects.toMatchObject(notFound);
    await expect(download(id)).rejects.toMatchObject(notFound);
    const exports = security.under.running.app.get(VulnerabilityExports, { strict: false });
    await security.under.running.app.get(RunExport, { strict: false }).expire();
    expect(files()).not.toContain(String(id));
    expect(await exports.find(id)).toBeNull();
  });

  it('is deleted even if the files of another one cannot be removed; that is retried', async () => {
    const { start, finished } = exporting();
    const project = await scanned(1);
    const ids = [(await start(project)).id, (await start(project)).id] as const;
    for (const id of ids) await finished(id);
    const { app } = security.under.running;
    const storage = app.get(ObjectStorage, { strict: false });
    const remove = storage.removeAll.bind(storage);
    const refusing = jest.spyOn(storage, 'removeAll');
    refusing.mockImplementation(async (prefix) => {
      if (prefix === folderOf(ids[0])) throw new Error('refused');
      await remove(prefix);
    });
    const later = Date.now() + 3_600_000;
    jest.spyOn(Date, 'now').mockImplementation(() => later);
    const left = () => {
      const folders = readdirSync(path.join(security.folder, 'security', 'exports'));
      return ids.filter((id) => folders.includes(String(id)));
    };
    const expire = () => app.get(RunExport, { strict: false }).expire();
    await expect(expire()).rejects.toThrow('refused');
    expect(left()).toEqual([ids[0]]);
    refusing.mockRestore();
    await expire();
    expect(left()).toEqual([]);
  });

  it('is deleted with its project', async () => {
    const { bed, start, finished, get } = exporting();
    const project = await scanned(1);
    const { id } = await start(project);
    await finished(id);
    bed.removeProject(project);
    await security.under.emit(projectDeleted, {
      project_id: project.id,
      full_path: project.fullPath,
      storage: 'default',
    });
    await eventually(
      () =>
        get(id).then(
          () => false,
          () => true,
        ),
      'its end',
    );
  });

  it('fails if its files cannot be stored, and never has a partial file', async () => {
    const { start, get, download } = exporting();
    const project = await scanned(8);
    const folder = path.join(security.folder, 'security', 'exports');
    await rm(folder, { recursive: true, force: true });
    // Equivalent to a full disk: nothing can be written below a file.
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(folder, '');
    const { id } = await start(project);
    try {
      await eventually(async () => (await get(id)).status === 'failed', 'its failure', 60_000);
      await expect(download(id)).rejects.toMatchObject(notFound);
    } finally {
      await rm(folder);
    }
  });
});
