import {
  type ContextOf,
  getPipelineTestReport,
  getPipelineTestReportSummary,
  type ParsedOf,
  pipelineErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Pipelines } from '../../pipeline/pipeline.repository';
import { requireReaderOr } from '../../pipeline/pipeline-rules';
import { currentJobs } from '../../pipeline/settle';
import { Artifacts } from '../artifact.repository';
import { mayReadArtifact } from '../artifact-rules';
import type { TestCase } from '../read-junit';
import { ReadReports } from '../read-reports';

type Context = ContextOf<typeof getPipelineTestReport>;

/** Test results of a pipeline, job by job. See docs/api/artifacts.md#6. */
@Controller()
export class TestReports {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly artifacts: Artifacts,
    private readonly reports: ReadReports,
  ) {}

  @Handles(getPipelineTestReport)
  async report(context: Context, { pipeline_id }: ParsedOf<typeof getPipelineTestReport>) {
    const suites = await this.suitesOf(context, pipeline_id);
    return {
      ...totals(suites.flatMap(({ cases }) => cases)),
      test_suites: suites.map(({ name, cases, problem }) => ({
        name,
        ...totals(cases),
        suite_error: problem,
        test_cases: cases.map(viewCase),
      })),
    };
  }

  @Handles(getPipelineTestReportSummary)
  async summary(context: Context, { pipeline_id }: ParsedOf<typeof getPipelineTestReportSummary>) {
    const suites = await this.suitesOf(context, pipeline_id);
    const all = totals(suites.flatMap(({ cases }) => cases));
    return {
      total: {
        time: all.total_time,
        count: all.total_count,
        success: all.success_count,
        failed: all.failed_count,
        skipped: all.skipped_count,
        error: all.error_count,
        suite_error: suites.find(({ problem }) => problem !== null)?.problem ?? null,
      },
      test_suites: suites.map(({ name, jobId, cases, problem }) => ({
        name,
        ...totals(cases),
        build_ids: [jobId],
        suite_error: problem,
      })),
    };
  }

  /** Of the latest runs, as far as the caller may read their artifacts. */
  private async suitesOf({ project }: Context, pipelineId: number) {
    requireReaderOr(project, pipelineErrors.notFound);
    const jobs = currentJobs((await this.pipelines.get(project.id, pipelineId)).jobs);
    const names = new Map(jobs.map(({ id, name }) => [id, name]));
    const left = [...(await this.artifacts.ofJobs([...names.keys()])).values()].flat();
    const reports = left.filter((artifact) => artifact.type === 'junit' && mayReadArtifact(artifact, project));
    const suites = await this.reports.read(reports);
    return suites.map((suite) => ({ ...suite, name: names.get(suite.jobId) ?? '' }));
  }
}

function totals(cases: TestCase[]) {
  const count = (status: TestCase['status']) => cases.filter((one) => one.status === status).length;
  return {
    total_time: cases.reduce((sum, { seconds }) => sum + seconds, 0),
    total_count: cases.length,
    success_count: count('success'),
    failed_count: count('failed'),
    skipped_count: count('skipped'),
    error_count: count('error'),
  };
}

const viewCase = ({ status, name, classname, file, seconds, output }: TestCase) => ({
  status,
  name,
  classname,
  file,
  execution_time: seconds,
  system_output: output,
  stack_trace: null,
  recent_failures: null,
});
