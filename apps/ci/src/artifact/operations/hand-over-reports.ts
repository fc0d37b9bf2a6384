import { pipeline } from 'node:stream/promises';
import {
  type ArtifactType,
  completeSecurityReports,
  type EventData,
  type EventRecord,
  isError,
  jobChanged,
  type ProjectRef,
  pipelineChanged,
  type ReportType,
  receiveSecurityReport,
  reportLimit,
  securityReportErrors,
} from '@moothall/contracts';
import { DataPort, type UploadClaims, uploadHandler } from '@moothall/data-port';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { ObjectMissing, ObjectStorage } from '@moothall/object-storage';
import { Injectable, Logger } from '@nestjs/common';
import { Pipelines } from '../../pipeline/pipeline.repository';
import type { Job, Pipeline } from '../../pipeline/pipeline.schema';
import { RunnerProjects } from '../../runner/runner-projects';
import { Artifacts } from '../artifact.repository';
import type { Artifact } from '../artifact.schema';
import { openReport } from '../open-report';

/** Kinds of reports that become vulnerabilities, with their scan type; null if the report contains it. */
const scanned = new Map<ArtifactType, ReportType | null>([
  ['sast', 'sast'],
  ['dast', 'dast'],
  ['dependency_scanning', 'dependency_scanning'],
  ['container_scanning', 'container_scanning'],
  ['secret_detection', 'secret_detection'],
  ['cyclonedx', null],
]);

const isToBeHandedOver = ({ type, isHandedOver }: Artifact): boolean => scanned.has(type) && !isHandedOver;

/** A pipeline that waits for a manual job may wait forever. */
const isAtRest = ({ status, finishedAt }: Pipeline): boolean => finishedAt !== null || status === 'manual';

const hasReports = ({ status }: Job): boolean => status === 'success' || status === 'failed';

/**
 * Reports of ended jobs on the default branch become vulnerabilities, those of a pipeline together. Duplicate events
 * hand over each report once.
 */
@Injectable()
export class HandOverReports {
  private readonly log = new Logger(HandOverReports.name);

  constructor(
    private readonly artifacts: Artifacts,
    private readonly pipelines: Pipelines,
    private readonly projects: RunnerProjects,
    private readonly client: OperationClient,
    private readonly dataPort: DataPort,
    private readonly storage: ObjectStorage,
  ) {
    dataPort.serve<UploadClaims>(uploadHandler, async ({ id, sizeBytes }, _request, response) => {
      const artifact = await this.artifacts.findById(Number(id));
      if (!artifact) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-length': sizeBytes });
      await pipeline(await openReport(this.storage, artifact), response);
    });
  }

  @OnEvent(jobChanged, 'HandOverReports-onJobChanged')
  async onJobChanged({ data }: EventRecord<EventData<typeof jobChanged>>): Promise<void> {
    if (data.tag) return;
    const left = (await this.artifacts.ofJobs([data.job_id])).get(data.job_id) ?? [];
    const reports = left.filter(isToBeHandedOver);
    const pipeline = reports.length > 0 ? await this.pipelines.findOfJob(data.job_id) : null;
    const project = pipeline && (await this.scannedProject(pipeline));
    if (project) await this.handOverAll(reports, pipeline, project);
  }

  /** Its jobs may have ended unheard until now. */
  @OnEvent(pipelineChanged, 'HandOverReports-onPipelineChanged')
  async onPipelineChanged({ data }: EventRecord<EventData<typeof pipelineChanged>>): Promise<void> {
    const pipeline = data.tag ? null : await this.pipelines.find(data.pipeline_id);
    // If it continues, another event follows.
    if (!pipeline || !isAtRest(pipeline)) return;
    const left = [...(await this.artifacts.ofJobs(pipeline.jobs.map(({ id }) => id))).values()].flat();
    if (!left.some(({ type }) => scanned.has(type))) return;
    const project = await this.scannedProject(pipeline);
    if (!project) return;
    await this.handOverAll(left.filter(isToBeHandedOver), pipeline, project);
    await this.client.call(completeSecurityReports, { pipeline_id: pipeline._id }, { project });
  }

  private async scannedProject({ projectId, ref }: Pipeline): Promise<ProjectRef | null> {
    const project = await this.projects.find(projectId);
    return project && !project.isArchived && project.defaultBranch === ref ? project : null;
  }

  private async handOverAll(reports: Artifact[], pipeline: Pipeline, project: ProjectRef): Promise<void> {
    const ended = new Map(pipeline.jobs.filter(hasReports).map((job) => [job.id, job]));
    for (const report of reports) {
      const job = ended.get(report.jobId);
      if (!job) continue;
      await this.handOver(report, project, { user_id: job.userId ?? project.creatorId, pipeline_id: pipeline._id });
      await this.artifacts.noteHandedOver(report._id);
    }
  }

  private async handOver(
    report: Artifact,
    project: ProjectRef,
    of: { user_id: number; pipeline_id: number },
  ): Promise<void> {
    const sizeBytes = await this.unpackedBytes(report);
    if (sizeBytes === undefined) return;
    const { filename } = report;
    const claims = { id: String(report._id), filename, contentType: 'application/json', sizeBytes };
    const type = scanned.get(report.type);
    const input = {
      file: this.dataPort.uploadedFile(claims),
      ...of,
      origin: `job-artifact-${report._id}`,
      ...(type && { report_type: type }),
    };
    await this.client.call(receiveSecurityReport, input, { project }).catch((error: unknown) => {
      if (!isError(error, securityReportErrors.refused)) throw error;
      this.log.warn(`report ${report._id} of job ${report.jobId} was refused: ${error}`);
    });
  }

  /** Undefined if it cannot be unpacked, is too large, or was deleted meanwhile. */
  private async unpackedBytes(report: Artifact): Promise<number | undefined> {
    let bytes = 0;
    try {
      for await (const chunk of await openReport(this.storage, report)) {
        bytes += chunk.length;
        if (bytes > reportLimit.bytes) return undefined;
      }
      return bytes;
    } catch (error) {
      if (error instanceof ObjectMissing || (error as NodeJS.ErrnoException).code?.startsWith('Z_')) return undefined;
      throw error;
    }
  }
}
