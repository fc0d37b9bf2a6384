import {
  type Caller,
  type ContextOf,
  commonErrors,
  downloadVulnerabilityExport,
  exportDashboardVulnerabilities,
  exportGroupVulnerabilities,
  exportProjectVulnerabilities,
  getVulnerabilityExport,
  isFeatureOn,
  type KnownFlag,
  type OutputOf,
  type ParsedOf,
  Reply,
  vulnerabilityExportErrors,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles, OperationClient } from '@moothall/messaging';
import { ObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { ScannedProjects } from '../project/scanned-projects';
import type { SecuritySettings } from '../settings/settings';
import { RunExport } from './run-export';
import { sendExport } from './send-export';
import { VulnerabilityExports } from './vulnerability-export.repository';
import type { VulnerabilityExport } from './vulnerability-export.schema';

const flag: KnownFlag = 'first_class_vulnerabilities';
const pauseSeconds = 5;

/** Starts exports, returns their state, and serves their files. */
@Controller()
export class ExportOperations {
  constructor(
    private readonly exports: VulnerabilityExports,
    private readonly runs: RunExport,
    private readonly projects: ScannedProjects,
    private readonly client: OperationClient,
    private readonly dataPort: DataPort,
    @Inject(settingsToken) private readonly settings: SecuritySettings,
    storage: ObjectStorage,
  ) {
    dataPort.serve<{ exportId: number }>('vulnerability-export', async ({ exportId }, _request, response) => {
      const found = await this.exports.find(exportId);
      if (!found) throw vulnerabilityExportErrors.notFound();
      await sendExport(storage, found, response);
    });
  }

  @Handles(exportProjectVulnerabilities)
  async ofProject(
    { project, caller }: ContextOf<typeof exportProjectVulnerabilities>,
    _: ParsedOf<typeof exportProjectVulnerabilities>,
  ) {
    return this.create({ projectId: project.id, groupId: null }, project.fullPath, caller);
  }

  @Handles(exportGroupVulnerabilities)
  async ofGroup(
    { group, caller }: ContextOf<typeof exportGroupVulnerabilities>,
    _: ParsedOf<typeof exportGroupVulnerabilities>,
  ) {
    return this.create({ projectId: null, groupId: group.id }, group.fullPath, caller);
  }

  @Handles(exportDashboardVulnerabilities)
  async ofDashboard(
    { caller }: ContextOf<typeof exportDashboardVulnerabilities>,
    _: ParsedOf<typeof exportDashboardVulnerabilities>,
  ) {
    return this.create({ projectId: null, groupId: null }, null, caller);
  }

  @Handles(getVulnerabilityExport)
  async get({ caller }: ContextOf<typeof getVulnerabilityExport>, input: ParsedOf<typeof getVulnerabilityExport>) {
    const view = this.view(await this.find(input.export_id, caller));
    if (view.status === 'finished' || view.status === 'failed') return view;
    const headers = { 'retry-after': String(pauseSeconds), 'poll-interval': String(pauseSeconds * 1000) };
    return new Reply(view, { status: 202, headers });
  }

  @Handles(downloadVulnerabilityExport)
  async download(
    { caller }: ContextOf<typeof downloadVulnerabilityExport>,
    input: ParsedOf<typeof downloadVulnerabilityExport>,
  ) {
    const found = await this.find(input.export_id, caller);
    if (found.status !== 'finished') throw vulnerabilityExportErrors.notFound();
    return this.dataPort.presign('vulnerability-export', { exportId: found._id });
  }

  private async create(
    target: Pick<VulnerabilityExport, 'projectId' | 'groupId'>,
    fullPath: string | null,
    caller: Caller,
  ) {
    await this.requireSwitchedOn(caller, fullPath);
    const { id, isAdmin, isExternal } = caller;
    const name = (fullPath ?? 'instance').replaceAll('/', '-');
    const filename = `${name}_vulnerabilities_${stamp(new Date())}.csv`;
    const created = await this.exports.add({ ...target, author: { id, isAdmin, isExternal }, fullPath, filename });
    await this.runs.queue(created);
    return this.view(created);
  }

  private async find(exportId: number, caller: Caller): Promise<VulnerabilityExport> {
    const found = await this.exports.get(exportId, caller.id);
    await this.requireSwitchedOn(caller, found.fullPath);
    // The caller may have lost access since.
    if (!(await this.projects.sees(found, caller))) throw vulnerabilityExportErrors.notFound();
    return found;
  }

  private async requireSwitchedOn({ username }: Caller, fullPath: string | null): Promise<void> {
    const asked = { name: flag, username, ...(fullPath !== null && { full_path: fullPath }) };
    const { is_on } = await this.client.call(isFeatureOn, asked);
    if (!is_on) throw commonErrors.notFound();
  }

  private view(found: VulnerabilityExport): OutputOf<typeof exportProjectVulnerabilities> {
    const { _id, status, createdAt, startedAt, finishedAt, projectId, groupId } = found;
    const self = `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}/api/v4/security/vulnerability_exports/${_id}`;
    return {
      id: _id,
      created_at: createdAt.toISOString(),
      project_id: projectId,
      group_id: groupId,
      format: 'csv',
      status: status === 'expired' ? 'failed' : status,
      started_at: startedAt?.toISOString() ?? null,
      finished_at: finishedAt?.toISOString() ?? null,
      _links: { self, download: `${self}/download` },
    };
  }
}

/** `2020-10-15T0812`, the suffix of file names. */
const stamp = (time: Date): string => time.toISOString().slice(0, 16).replace(':', '');
