import { downloadVulnerabilityExport, exportProjectVulnerabilities, getVulnerabilityExport } from '@moothall/contracts';
import { callerNamed, contextOf, eventually } from '@moothall/testing';
import { sastReport } from './reports';
import { prepareSecurityReplicas } from './security-under-test';

// More findings show the same faults in more time: CHAOS_FINDINGS=100000.
const count = Number(process.env.CHAOS_FINDINGS ?? 1_000);

describe(`${count} findings`, () => {
  let setup: Awaited<ReturnType<typeof prepareSecurityReplicas>>;
  beforeAll(async () => {
    setup = await prepareSecurityReplicas({ EXPORT_PART_ROWS: String(Math.ceil(count / 25)) });
  });
  afterAll(() => setup?.stop());

  it('are vulnerabilities, each once, and in an export, each once, when each of two workers is killed in the middle', async () => {
    const { bed, replicas } = setup;
    const [first, second] = await Promise.all([replicas.startReplica(), replicas.startReplica()]);
    const project = bed.project();
    const caller = callerNamed('ada');
    const holes = Array.from({ length: count }, (_, at) => ({ file: 'a.js', line: at + 1, name: `hole-${at}.` }));
    const reportIds = await Promise.all([1, 2, 3].map(async () => (await bed.upload(project, sastReport(holes))).id));
    await eventually(async () => (await bed.list(project)).length > 0, 'the first vulnerabilities', 60_000);
    await first!.kill();
    const third = await replicas.startReplica();
    for (const id of reportIds) await bed.finished(project, id, 120_000);
    const titles = (await bed.list(project)).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(holes.map(({ name }) => name).sort());

    const { id } = await bed.call(exportProjectVulnerabilities, { id: String(project.id) }, bed.as(project, caller));
    const as = contextOf({ caller });
    const status = async () => (await bed.call(getVulnerabilityExport, { export_id: id }, as)).status;
    await eventually(async () => (await status()) !== 'created', 'its beginning', 60_000);
    // The process that runs it is killed, and the other must not lose it: a job that is lost twice becomes a failed job.
    await Promise.all([second!.kill(), third.kill()]);
    await replicas.startReplica();
    await eventually(async () => (await status()) === 'finished', 'its end', 240_000);
    const { url } = await bed.call(downloadVulnerabilityExport, { export_id: id }, as);
    const exported = [...(await (await fetch(url)).text()).matchAll(/,(hole-\d+\.),/g)].map(([, title]) => title);
    expect(exported.sort()).toEqual(titles.sort());
  }, 600_000);
});
