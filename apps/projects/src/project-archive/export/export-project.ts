import {
  type ContextOf,
  downloadProjectExport,
  getProjectExport,
  type ParsedOf,
  projectExportErrors,
  startProjectExport,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Outbox } from '@moothall/database';
import { Jobs } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import { RemoteArchives } from '../../archive/remote-archives';
import type { ProjectsSettings } from '../../settings/settings';
import { viewNamed } from '../format/named.view';
import { jobIdOf, projectExportJobs } from './build-project-export';
import { ProjectExports } from './project-exports';

interface Archive {
  key: string;
  filename: string;
}

/** Starts exports, returns their state, and serves their files. See docs/api/projects.md#9. */
@Controller()
export class ExportProject {
  constructor(
    private readonly exports: ProjectExports,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly dataPort: DataPort,
    private readonly remote: RemoteArchives,
    private readonly secrets: SecretBox,
    @Inject(settingsToken) private readonly settings: ProjectsSettings,
    storage: ObjectStorage,
  ) {
    dataPort.serve<Archive>('project-export', (archive, request, response) =>
      sendObject(storage, { ...archive, contentType: 'application/octet-stream', isInline: false }, request, response),
    );
  }

  @Handles(startProjectExport)
  async start(
    { project, caller }: ContextOf<typeof startProjectExport>,
    { description, upload }: ParsedOf<typeof startProjectExport>,
  ) {
    if (upload && !(await this.remote.mayReach(upload.url))) throw projectExportErrors.uploadRefused();
    const wanted = {
      projectId: project.id,
      userId: caller.id,
      description: description ?? null,
      sealedUrl: upload ? this.secrets.seal(upload.url) : null,
      uploadMethod: upload?.http_method ?? ('PUT' as const),
    };
    const { _id, userId } = await this.exports.begin(wanted);
    const job = { export_id: _id, user_id: userId };
    await this.outbox.promptly(this.jobs.add(projectExportJobs, job, { id: jobIdOf(_id) }));
    return { message: '202 Accepted' };
  }

  @Handles(getProjectExport)
  async get({ project }: ContextOf<typeof getProjectExport>, _: ParsedOf<typeof getProjectExport>) {
    const [latest, finished] = await Promise.all([
      this.exports.latest(project.id),
      this.exports.latest(project.id, 'finished'),
    ]);
    const isUnderWay = latest?.status === 'queued' || latest?.status === 'started';
    const web = `${this.settings.EXTERNAL_URL.replace(/\/$/, '')}/api/v4/projects/${project.id}/export/download`;
    return {
      ...viewNamed(project),
      // The previous export remains available until the new one is finished.
      export_status:
        isUnderWay && finished ? ('regeneration_in_progress' as const) : (latest?.status ?? ('none' as const)),
      export_error: latest?.error ?? null,
      ...(finished && { _links: { api_url: web, web_url: web } }),
    };
  }

  @Handles(downloadProjectExport)
  async download({ project }: ContextOf<typeof downloadProjectExport>, _: ParsedOf<typeof downloadProjectExport>) {
    const finished = await this.exports.latest(project.id, 'finished');
    if (!finished?.filename) throw projectExportErrors.notAvailable();
    return this.dataPort.presign('project-export', {
      key: this.exports.archiveKey(finished._id),
      filename: finished.filename,
    });
  }
}
