import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  commonErrors,
  completeSecurityReports,
  projectDeleted,
  receiveSecurityReport,
  reportLimit,
  securityReportErrors,
} from '@moothall/contracts';
import { ObjectStorage } from '@moothall/object-storage';
import { callerNamed, contextOf, eventually, shareBetweenTests } from '@moothall/testing';
import { SecurityReports } from '../src/report/security-report.repository';
import { containerReport, cycloneDxReport, sarifReport, sastReport } from './reports';
import { startSecurityService } from './security-under-test';

describe('reports of scanners', () => {
  const security = shareBetweenTests(startSecurityService);

  it('become vulnerabilities', async () => {
    const { bed } = security;
    const project = bed.project();
    const ada = callerNamed('ada');
    const report = await bed.upload(project, sastReport([{ file: 'a.js', line: 3 }]), {}, ada);
    expect(report).toMatchObject({ project_id: project.id, report_type: 'sast', findings_count: 1 });
    await bed.finished(project, report.id);
    for (const other of [containerReport(), sarifReport(), cycloneDxReport()]) await bed.ingest(project, other);
    const found = await bed.list(project);
    expect(found.map(({ severity, report_type }) => `${severity} ${report_type}`)).toEqual([
      'high dependency_scanning',
      'high dependency_scanning',
      'low sast',
      'medium sast',
      'critical container_scanning',
      'high sast',
    ]);
    expect(found.at(-1)).toMatchObject({
      title: 'SQL injection',
      description: 'User input goes into a query.\nIn "a.js", line 3.',
      state: 'detected',
      author_id: ada.id,
      resolved_on_default_branch: false,
      project: { id: project.id, path_with_namespace: project.fullPath },
      finding: { location: { file: 'a.js', start_line: 3 }, scanner: { external_id: 'semgrep' } },
    });
  });

  it('store each finding once, also under ten concurrent reports', async () => {
    const { bed } = security;
    const project = bed.project();
    const holes = Array.from({ length: 700 }, (_, line) => ({ file: 'a.js', line: line + 1 }));
    const uploads = await Promise.all(Array.from({ length: 10 }, () => bed.upload(project, sastReport(holes))));
    for (const { id } of uploads) await bed.finished(project, id, 60_000);
    const found = await bed.list(project);
    expect(found).toHaveLength(holes.length);
    expect(new Set(found.map(({ finding }) => finding.location.start_line)).size).toBe(holes.length);
    expect(found.every(({ resolved_on_default_branch }) => !resolved_on_default_branch)).toBe(true);
  }, 120_000);

  it('of jobs are processed once, however often they are received', async () => {
    const { bed } = security;
    const project = bed.project();
    const bytes = Buffer.from(JSON.stringify(sastReport([{ file: 'a.js', line: 3 }])));
    const give = (origin: string, content = bytes) => {
      const file = bed.uploads.add(content, 'gl-sast-report.json');
      return bed.call(receiveSecurityReport, { file, origin, user_id: 7 }, contextOf({ project }));
    };
    const given = await Promise.all(['one', 'one', 'one', 'two'].map((origin) => give(`${origin} of ${project.id}`)));
    const ids = given.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of new Set(ids)) await bed.finished(project, id);
    expect((await give(`one of ${project.id}`)).id).toBe(ids[0]);
    expect((await bed.list(project)).map(({ author_id }) => author_id)).toEqual([7]);
    await expect(give(`three of ${project.id}`, Buffer.from('rubbish'))).rejects.toMatchObject({
      value: { code: securityReportErrors.refused.code },
    });
  });

  it('of the jobs of a pipeline are processed together, and those of an older one resolve nothing', async () => {
    const { bed } = security;
    const project = bed.project();
    const as = contextOf({ project });
    const give = async (pipelineId: number, job: string, ...files: string[]) => {
      const report = sastReport(files.map((file) => ({ file, line: 1 })));
      const file = bed.uploads.add(Buffer.from(JSON.stringify(report)), 'gl-sast-report.json');
      const origin = `${job} of ${pipelineId} of ${project.id}`;
      const { id } = await bed.call(receiveSecurityReport, { file, origin, user_id: 7, pipeline_id: pipelineId }, as);
      return () => bed.finished(project, id);
    };
    const complete = (pipelineId: number) => bed.call(completeSecurityReports, { pipeline_id: pipelineId }, as);
    const there = async () =>
      (await bed.list(project)).flatMap(({ finding, resolved_on_default_branch: isGone }) =>
        isGone ? [] : [finding.location.file],
      );
    await (await give(1, 'a', 'a.js', 'b.js'))();
    await (await give(1, 'c', 'c.js'))();
    await complete(1);
    expect((await there()).sort()).toEqual(['a.js', 'b.js', 'c.js']);
    // Nothing is removed before all reports of a pipeline are complete, in any order of events.
    await (await give(2, 'a', 'a.js'))();
    expect((await there()).sort()).toEqual(['a.js', 'b.js', 'c.js']);
    const finished = await give(2, 'c', 'c.js', 'd.js');
    await complete(2);
    await finished();
    expect((await there()).sort()).toEqual(['a.js', 'c.js', 'd.js']);
    await complete(2);
    expect((await there()).sort()).toEqual(['a.js', 'c.js', 'd.js']);
    await (await give(4, 'a', 'd.js'))();
    await complete(4);
    expect(await there()).toEqual(['d.js']);
    // A late report of an earlier pipeline.
    await (await give(3, 'a', 'a.js', 'e.js'))();
    await complete(3);
    expect(await there()).toEqual(['d.js']);
    // A retried job has more findings.
    await (await give(4, 'b', 'a.js'))();
    expect((await there()).sort()).toEqual(['a.js', 'd.js']);
    // An uploaded report is more recent than all of these.
    await bed.ingest(project, sastReport([{ file: 'b.js', line: 1 }]));
    expect(await there()).toEqual(['b.js']);
  });

  it('of a pipeline that are received twice concurrently are awaited once', async () => {
    const { bed, under } = security;
    const project = bed.project();
    const as = contextOf({ project });
    const inputOf = (pipelineId: number, ...files: string[]) => {
      const report = sastReport(files.map((file) => ({ file, line: 1 })));
      const file = bed.uploads.add(Buffer.from(JSON.stringify(report)), 'gl-sast-report.json');
      return { file, origin: `of ${pipelineId} of ${project.id}`, user_id: 7, pipeline_id: pipelineId };
    };
    const before = await bed.call(receiveSecurityReport, inputOf(1, 'a.js', 'b.js'), as);
    await bed.finished(project, before.id);
    await bed.call(completeSecurityReports, { pipeline_id: 1 }, as);
    // It is marked complete while another process still uploads it.
    const input = inputOf(2, 'a.js');
    const storage: ObjectStorage = under.running.app.get(ObjectStorage, { strict: false });
    const { write } = storage;
    const written = jest.spyOn(storage, 'write').mockImplementationOnce(async (...given) => {
      await bed.finished(project, (await bed.call(receiveSecurityReport, input, as)).id);
      return write.apply(storage, given);
    });
    await bed.call(receiveSecurityReport, input, as);
    written.mockRestore();
    await bed.call(completeSecurityReports, { pipeline_id: 2 }, as);
    const listed = await bed.list(project);
    expect(
      Object.fromEntries(listed.map((one) => [one.finding.location.file, one.resolved_on_default_branch])),
    ).toEqual({
      'a.js': false,
      'b.js': true,
    });
  });

  it('whose record was deleted during the download are requested again, and leave no file', async () => {
    const { bed, under, folder } = security;
    const project = bed.project();
    const reports: SecurityReports = under.running.app.get(SecurityReports, { strict: false });
    const storage: ObjectStorage = under.running.app.get(ObjectStorage, { strict: false });
    const { write } = storage;
    let key = '';
    const written = jest.spyOn(storage, 'write').mockImplementationOnce(async (given, bytes) => {
      key = given;
      await reports.forget(project.id);
      return write.call(storage, given, bytes);
    });
    const file = bed.uploads.add(Buffer.from(JSON.stringify(sastReport([]))), 'gl-sast-report.json');
    const input = { file, origin: `given up of ${project.id}`, user_id: 7 };
    await expect(bed.call(receiveSecurityReport, input, contextOf({ project }))).rejects.toMatchObject({
      value: { code: commonErrors.unavailable.code },
    });
    written.mockRestore();
    expect([key, existsSync(path.join(folder, 'security', key))]).toEqual([expect.stringContaining('reports/'), false]);
    const { id } = await bed.call(receiveSecurityReport, input, contextOf({ project }));
    await bed.finished(project, id);
  });

  it('of another branch are read, and make no vulnerabilities', async () => {
    const { bed } = security;
    const project = bed.project();
    const report = sastReport([{ file: 'a.js', line: 3 }]);
    const ofBranch = await bed.upload(project, report, { ref: 'feature' });
    expect(ofBranch).toMatchObject({ ref: 'feature', findings_count: 1 });
    await bed.finished(project, ofBranch.id);
    expect(await bed.list(project)).toEqual([]);
    const ofDefault = await bed.upload(project, report, { ref: project.defaultBranch });
    expect(ofDefault.ref).toBeNull();
    await bed.finished(project, ofDefault.id);
    await bed.ingest(project, sastReport([]), { ref: 'feature' });
    expect(await bed.list(project)).toMatchObject([{ resolved_on_default_branch: false }]);
  });

  it('resolve findings that are no longer on the default branch, and reopen others', async () => {
    const { bed } = security;
    const project = bed.project();
    const [one, other] = [
      { file: 'a.js', line: 1 },
      { file: 'b.js', line: 2 },
    ];
    const gone = async () =>
      (await bed.list(project, { report_type: ['sast'] }))
        .filter(({ resolved_on_default_branch }) => resolved_on_default_branch)
        .map(({ finding }) => finding.location.file);
    await bed.ingest(project, sastReport([one!, other!]));
    await bed.ingest(project, sastReport([one!]));
    expect(await gone()).toEqual(['b.js']);
    // Reports of other scanners and kinds have no effect on it.
    await bed.ingest(project, sarifReport());
    await bed.ingest(project, containerReport());
    expect(await gone()).toEqual(['b.js']);
    await bed.ingest(project, sastReport([]));
    expect((await gone()).sort()).toEqual(['a.js', 'b.js']);
    await bed.ingest(project, sastReport([other!]));
    expect(await gone()).toEqual(['a.js']);
  });

  it('that differ and arrive concurrently: the latest one counts', async () => {
    const { bed } = security;
    const project = bed.project();
    const holes = Array.from({ length: 40 }, (_, line) => ({ file: 'a.js', line: line + 1 }));
    const uploads = await Promise.all(
      [1, 2, 4, 8].map(async (step) => {
        const some = holes.filter(({ line }) => line % step === 0);
        return { some, id: (await bed.upload(project, sastReport(some))).id };
      }),
    );
    for (const { id } of uploads) await bed.finished(project, id);
    const latest = uploads.reduce((a, b) => (a.id > b.id ? a : b));
    const there = (await bed.list(project)).filter(({ resolved_on_default_branch }) => !resolved_on_default_branch);
    expect(there.map(({ finding }) => Number(finding.location.start_line)).sort((a, b) => a - b)).toEqual(
      latest.some.map(({ line }) => line),
    );
  });

  it('are refused as a whole, and nothing is stored', async () => {
    const { bed } = security;
    const project = bed.project();
    const refused = { code: securityReportErrors.refused.code };
    const half = JSON.stringify(sastReport([{ file: 'a.js', line: 1 }])).slice(0, -10);
    const hostile: unknown[] = [
      Buffer.from(half),
      Buffer.from('['.repeat(1_000_000)),
      Buffer.from([0xff, 0xfe, 0x00]),
      sastReport([{ file: 'a.js', line: 1 }], { version: '99.0.0' }),
      sastReport([{ file: 'a.js', line: 1 }], {
        vulnerabilities: [...sastReport([{ file: 'a', line: 1 }]).vulnerabilities, { identifiers: 'none' }],
      }),
      sastReport([{ file: 'a.js', line: 1, name: 'x'.repeat(70_000) }]),
    ];
    for (const report of hostile) await expect(bed.upload(project, report)).rejects.toMatchObject(refused);
    expect(await bed.list(project)).toEqual([]);
  });

  it('that are too large are refused by their stated size, and by their bytes', async () => {
    const { bed } = security;
    const project = bed.project();
    const file = bed.uploads.add(Buffer.from('{}'), 'report.json', { sizeBytes: reportLimit.bytes + 1 });
    await expect(bed.upload(project, {}, { file })).rejects.toMatchObject({ code: commonErrors.tooLarge.code });
    const lied = bed.uploads.add(Buffer.from('{}'), 'report.json', { sizeBytes: 1 });
    await expect(bed.upload(project, {}, { file: lied })).rejects.toMatchObject({
      code: expect.stringMatching(/bad_request|refused/),
    });
  });

  it('are deleted with their project', async () => {
    const { bed, under } = security;
    const project = bed.project();
    await bed.ingest(project, sastReport([{ file: 'a.js', line: 1 }]));
    bed.removeProject(project);
    await under.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'default' });
    await eventually(async () => (await bed.list(project)).length === 0, 'the end of its vulnerabilities');
  });
});
