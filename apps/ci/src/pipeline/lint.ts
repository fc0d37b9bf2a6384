import {
  type Caller,
  type ContextOf,
  ciSource,
  lintInProject,
  lintOfProject,
  lintText,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { FileJob } from '../pipeline-file/job-spec';
import { type Linted, PipelineFiles } from '../pipeline-file/pipeline-files';
import type { CiSettings } from '../settings/settings';
import { factsOf } from './pipeline-maker';
import { pipelineFilePath, predefinedVariables } from './predefined-variables';

type View = OutputOf<typeof lintInProject>;
type Context = ContextOf<typeof lintInProject>;

interface Look {
  content: string;
  /** The commit at which includes are read. */
  at: string;
  dryRunRef: string | undefined;
  showsJobs: boolean;
}

const noCommit = '0'.repeat(40);

/** Validates pipeline files without creating pipelines. See docs/api/pipeline-files.md#2. */
@Controller()
export class LintPipelineFiles {
  constructor(
    private readonly files: PipelineFiles,
    private readonly client: OperationClient,
    @Inject(settingsToken) private readonly settings: CiSettings,
  ) {}

  @Handles(lintText)
  async text(_context: ContextOf<typeof lintText>, input: ParsedOf<typeof lintText>) {
    const linted = await this.files.lint(input.content, { occasion: null }, undefined);
    const view = viewLinted(linted, input.include_jobs);
    const merged_yaml = input.include_merged_yaml ? view.merged_yaml : null;
    return { ...view, merged_yaml, status: view.valid ? ('valid' as const) : ('invalid' as const) };
  }

  @Handles(lintInProject)
  async inProject({ project, caller }: Context, input: ParsedOf<typeof lintInProject>): Promise<View> {
    const { content, dry_run, include_jobs: showsJobs } = input;
    const at = input.ref ?? project.defaultBranch ?? '';
    return this.look({ project, caller }, { content, at, dryRunRef: dry_run ? at : undefined, showsJobs });
  }

  @Handles(lintOfProject)
  async ofProject({ project, caller }: Context, input: ParsedOf<typeof lintOfProject>): Promise<View> {
    const { dry_run, include_jobs: showsJobs } = input;
    const at = input.content_ref ?? input.sha ?? project.defaultBranch ?? '';
    const content = await this.readFile(project, at);
    if (content === null) return viewLinted({ problem: 'Please provide content of .gitlab-ci.yml' }, showsJobs);
    const dryRunRef = dry_run ? (input.dry_run_ref ?? input.ref ?? project.defaultBranch ?? '') : undefined;
    return this.look({ project, caller }, { content, at, dryRunRef, showsJobs });
  }

  private async readFile(project: ProjectRef, at: string): Promise<string | null> {
    if (project.defaultBranch === null) return null;
    const file = { path: pipelineFilePath(project), max_bytes: this.files.sizeBytes };
    return (
      (await this.client.call(ciSource, { ref: project.defaultBranch, sha: at, ...file }, { project }))?.content ?? null
    );
  }

  private async look({ project, caller }: { project: ProjectRef; caller: Caller }, look: Look): Promise<View> {
    const at = { ref: project.defaultBranch ?? '', sha: look.at };
    const ref = look.dryRunRef ?? project.defaultBranch ?? '';
    const source = await this.sourceOf(project, caller, ref);
    if (look.dryRunRef !== undefined && !source) return viewLinted({ problem: 'Reference not found' }, look.showsJobs);
    const facts = { ref, ...factsOf(source), beforeSha: noCommit, source: 'push' as const };
    const predefined = predefinedVariables(facts, project, this.settings);
    const { isTag } = facts;
    const occasion = { ref, isTag, source: facts.source, projectPath: project.fullPath, predefined, given: {} };
    const given = look.dryRunRef === undefined ? { occasion: null, known: predefined } : { occasion };
    const linted = await this.files.lint(look.content, given, { project, at, caller, changedSince: null });
    return viewLinted(linted, look.showsJobs);
  }

  /** Null for a missing ref, and for an empty repository. */
  private async sourceOf(project: ProjectRef, caller: Caller, ref: string) {
    if (ref === '') return null;
    const asked = { ref, is_admin: caller.isAdmin, path: pipelineFilePath(project) };
    return this.client.call(ciSource, asked, { project });
  }
}

function viewLinted(linted: Linted, showsJobs: boolean): View {
  const problem = 'problem' in linted ? linted.problem : null;
  const jobs = 'problem' in linted ? [] : linted.jobs;
  return {
    valid: problem === null,
    errors: problem === null ? [] : [problem],
    warnings: [],
    merged_yaml: linted.merged ?? null,
    includes: [],
    ...(showsJobs && { jobs: jobs.map(viewJob) }),
  };
}

const viewJob = ({
  name,
  stage,
  spec,
  tags,
  when,
  allowFailure,
  needs,
}: FileJob): NonNullable<View['jobs']>[number] => ({
  name,
  stage,
  before_script: [],
  script: spec.script,
  after_script: spec.afterScript,
  tag_list: tags,
  environment: spec.environment?.name ?? null,
  when,
  allow_failure: allowFailure ?? false,
  needs: needs?.map(({ job }) => ({ name: job })) ?? null,
});
