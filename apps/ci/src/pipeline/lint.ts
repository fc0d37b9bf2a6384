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
import { pipelineFilePath, predefinedVariables } from './predefined-variables';

type View = OutputOf<typeof lintInProject>;
type Context = ContextOf<typeof lintInProject>;

interface Look {
  content: string;
  /** Where what it includes is read. */
  at: string;
  dryRunRef: string | undefined;
  showsJobs: boolean;
}

const noCommit = '0'.repeat(40);

/** Looks at pipeline files without making pipelines. See docs/api/pipelines.md#12. */
@Controller()
export class LintPipelineFiles {
  constructor(
    private readonly files: PipelineFiles,
    private readonly client: OperationClient,
    @Inject(settingsToken) private readonly settings: CiSettings,
  ) {}

  @Handles(lintText)
  async text(_context: ContextOf<typeof lintText>, input: ParsedOf<typeof lintText>) {
    const linted = await this.files.lint(input.content, null, undefined);
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
    const occasion = look.dryRunRef === undefined ? null : await this.occasionOf(project, caller, look.dryRunRef);
    if (occasion === 'missing') return viewLinted({ problem: 'Reference not found' }, look.showsJobs);
    const linted = await this.files.lint(look.content, occasion, { project, at, caller, changedSince: null });
    return viewLinted(linted, look.showsJobs);
  }

  private async occasionOf(project: ProjectRef, caller: Caller, ref: string) {
    const asked = { ref, is_admin: caller.isAdmin, path: pipelineFilePath(project) };
    const source = await this.client.call(ciSource, asked, { project });
    if (!source) return 'missing';
    const { id, message, author_name, author_email, committed_date } = source.commit;
    const facts = {
      ref,
      isTag: source.ref_type === 'tag',
      isProtected: source.is_protected,
      sha: id,
      beforeSha: noCommit,
      source: 'push' as const,
      commit: {
        id,
        message,
        authorName: author_name,
        authorEmail: author_email,
        committedAt: new Date(committed_date),
      },
    };
    const predefined = predefinedVariables(facts, project, this.settings);
    return { ref, isTag: facts.isTag, source: facts.source, projectPath: project.fullPath, predefined, given: {} };
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
