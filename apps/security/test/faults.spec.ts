import {
  addDashboardProject,
  confirmVulnerability,
  dismissVulnerability,
  exportDashboardVulnerabilities,
  exportGroupVulnerabilities,
  exportProjectVulnerabilities,
  getVulnerability,
  getVulnerabilityExport,
  removeDashboardProject,
  resolveVulnerability,
  revertVulnerability,
  uploadSecurityReport,
} from '@moothall/contracts';
import {
  callerNamed,
  contextOf,
  eventually,
  groupNamed,
  meetFaults,
  shareBetweenTests,
  throughFaults,
  uniqueId,
} from '@moothall/testing';
import { Dashboards } from '../src/dashboard/dashboard.repository';
import { sastReport } from './reports';
import { startSecurityService } from './security-under-test';

meetFaults();

describe('if the database, Redis or NATS fails', () => {
  const security = shareBetweenTests(startSecurityService);
  const caller = callerNamed('ada');
  const as = contextOf({ caller });

  it('a report is processed with all findings, or not at all', async () => {
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

  it.each([
    { operation: confirmVulnerability, state: 'confirmed', who: 'confirmed_by_id' },
    { operation: dismissVulnerability, state: 'dismissed', who: 'dismissed_by_id' },
    { operation: resolveVulnerability, state: 'resolved', who: 'resolved_by_id' },
  ])(
    'a vulnerability is $state if acknowledged, and detected again if acknowledged',
    async ({ operation, state, who }) => {
      const { bed, under } = security;
      const project = bed.project();
      const holes = Array.from({ length: 60 }, (_, line) => ({ file: 'a.js', line: line + 1 }));
      await bed.ingest(project, sastReport(holes));
      const ids = (await bed.list(project)).map(({ id }) => id).values();
      const moved = await throughFaults(under.client, operation, async () => {
        const vulnerability_id = ids.next().value!;
        await bed.call(operation, { vulnerability_id }, as);
        return vulnerability_id;
      });
      for (const vulnerability_id of moved)
        expect(await bed.call(getVulnerability, { vulnerability_id }, as)).toMatchObject({ state, [who]: caller.id });
      const reverted = await throughFaults(under.client, revertVulnerability, async () => {
        const vulnerability_id = ids.next().value!;
        await bed.call(operation, { vulnerability_id }, as);
        await bed.call(revertVulnerability, { vulnerability_id }, as);
        return vulnerability_id;
      });
      for (const vulnerability_id of reverted)
        expect(await bed.call(getVulnerability, { vulnerability_id }, as)).toMatchObject({
          state: 'detected',
          [who]: null,
        });
    },
    300_000,
  );

  it.each([
    { operation: exportProjectVulnerabilities, name: 'a project' },
    { operation: exportGroupVulnerabilities, name: 'a group' },
    { operation: exportDashboardVulnerabilities, name: 'a dashboard' },
  ])(
    'an export of $name is created, or not at all',
    async ({ operation }) => {
      const { bed, under } = security;
      const project = bed.project();
      const group = groupNamed('group', { id: uniqueId() });
      const id = String(operation === exportGroupVulnerabilities ? group.id : project.id);
      await throughFaults(under.client, operation, async () => {
        const context = { ...bed.as(project, caller), group };
        const { id: export_id } = await bed.call(operation, { id }, context);
        const isDone = async () => (await bed.call(getVulnerabilityExport, { export_id }, as)).status === 'finished';
        await eventually(isDone, 'the export', 60_000);
      });
    },
    300_000,
  );

  it('a project is on the dashboard, or off it, if acknowledged', async () => {
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
