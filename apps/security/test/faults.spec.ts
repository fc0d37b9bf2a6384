import {
  addDashboardProject,
  confirmVulnerability,
  getVulnerability,
  removeDashboardProject,
  uploadSecurityReport,
} from '@moothall/contracts';
import { callerNamed, contextOf, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { Dashboards } from '../src/dashboard/dashboard.repository';
import { sastReport } from './reports';
import { startSecurityService } from './security-under-test';

meetFaults();

describe('what the database, Redis or NATS failed at', () => {
  const security = shareBetweenTests(startSecurityService);
  const caller = callerNamed('ada');
  const as = contextOf({ caller });

  it('is a report whose findings come, or none', async () => {
    const { bed, under } = security;
    const uploaded = await throughFaults(under.client, uploadSecurityReport, async () => {
      const project = bed.project();
      const { id } = await bed.upload(project, sastReport([{ file: 'a.js', line: 1 }]));
      return { project, id };
    });
    for (const { project, id } of uploaded) {
      await bed.finished(project, id, 60_000);
      expect(await bed.list(project)).toHaveLength(1);
    }
  }, 300_000);

  it('is moved when that was said', async () => {
    const { bed, under } = security;
    const project = bed.project();
    await bed.ingest(project, sastReport(Array.from({ length: 30 }, (_, line) => ({ file: 'a.js', line: line + 1 }))));
    const ids = (await bed.list(project)).map(({ id }) => id).values();
    const moved = await throughFaults(under.client, confirmVulnerability, async () => {
      const vulnerability_id = ids.next().value!;
      await bed.call(confirmVulnerability, { vulnerability_id }, as);
      return vulnerability_id;
    });
    for (const vulnerability_id of moved)
      expect(await bed.call(getVulnerability, { vulnerability_id }, as)).toMatchObject({
        state: 'confirmed',
        confirmed_by_id: caller.id,
      });
  }, 300_000);

  it('is on the dashboard, or off it, when that was said', async () => {
    const { bed, under } = security;
    const ids = () => under.running.app.get(Dashboards, { strict: false }).projectIds(caller.id);
    const added = await throughFaults(under.client, addDashboardProject, async () => {
      const { id } = bed.project();
      await bed.call(addDashboardProject, { project_id: id }, as);
      return id;
    });
    expect(await ids()).toEqual(expect.arrayContaining(added));
    const removed = await throughFaults(under.client, removeDashboardProject, async () => {
      const { id } = bed.project();
      await bed.call(addDashboardProject, { project_id: id }, as);
      await bed.call(removeDashboardProject, { project_id: id }, as);
      return id;
    });
    const left = await ids();
    expect(removed.filter((id) => left.includes(id))).toEqual([]);
  }, 300_000);
});
