import { Readable } from 'node:stream';
import {
  type ContextOf,
  completeSecurityReports,
  forbidden,
  getSecurityReport,
  type ParsedOf,
  receiveSecurityReport,
  reportLimit,
  uploadSecurityReport,
} from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { ObjectStorage } from '@moothall/object-storage';
import { Controller } from '@nestjs/common';
import { ReportReader } from '../report-format/report-reader';
import { IngestReport } from './ingest-report';
import { fileKeyOf, SecurityReports } from './security-report.repository';
import type { SecurityReport } from './security-report.schema';
import { viewReport } from './security-report.view';

/** Receives reports: an invalid report is refused as a whole. */
@Controller()
export class UploadReport {
  constructor(
    private readonly files: UploadedFiles,
    private readonly reader: ReportReader,
    private readonly reports: SecurityReports,
    private readonly ingestion: IngestReport,
    private readonly storage: ObjectStorage,
  ) {}

  @Handles(uploadSecurityReport)
  async upload(
    { project, caller }: ContextOf<typeof uploadSecurityReport>,
    { file, report_type, ref }: ParsedOf<typeof uploadSecurityReport>,
  ) {
    if (project.isArchived) throw forbidden();
    const branch = ref === undefined || ref === project.defaultBranch ? null : ref;
    return this.take({ file, report_type }, { projectId: project.id, userId: caller.id, ref: branch });
  }

  @Handles(receiveSecurityReport)
  async receive(
    { project }: ContextOf<typeof receiveSecurityReport>,
    { origin, user_id, pipeline_id, ...sent }: ParsedOf<typeof receiveSecurityReport>,
  ) {
    const known = await this.reports.findByOrigin(origin);
    if (known && known.status !== 'receiving') return viewReport(known);
    const pipeline = pipeline_id !== undefined && { pipelineId: pipeline_id };
    return this.take(sent, { projectId: project.id, userId: user_id, ref: null, origin, ...pipeline });
  }

  @Handles(completeSecurityReports)
  async complete(
    { project }: ContextOf<typeof completeSecurityReports>,
    { pipeline_id }: ParsedOf<typeof completeSecurityReports>,
  ) {
    await this.ingestion.complete(project.id, pipeline_id);
  }

  private async take(
    { file, report_type }: Pick<ParsedOf<typeof receiveSecurityReport>, 'file' | 'report_type'>,
    of: Pick<SecurityReport, 'projectId' | 'userId' | 'ref' | 'origin' | 'pipelineId'>,
  ) {
    const sent = this.files.open(file, reportLimit);
    const { lines, count, ...read } = await this.reader.read(sent.stream(), report_type, `user ${of.userId}`);
    const report = await this.reports.receive({ ...read, ...of, findingsCount: count });
    await this.storage.write(fileKeyOf(report._id), Readable.from([lines])).catch(async (error: unknown) => {
      // A concurrent upload of the same report may still be writing its file.
      if (await this.reports.isReceiving(report._id)) throw error;
    });
    await this.ingestion.expect(report);
    await this.reports.noteReceived(report._id);
    await this.ingestion.queue(report);
    return viewReport(report);
  }

  @Handles(getSecurityReport)
  async get({ project }: ContextOf<typeof getSecurityReport>, input: ParsedOf<typeof getSecurityReport>) {
    return viewReport(await this.reports.get(project.id, input.report_id));
  }
}
