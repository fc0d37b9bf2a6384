import { commonErrors } from '@moothall/contracts';
import { KnownPlanLimits } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { InThreads, OutOfBounds } from '@moothall/workers';
import { Inject, Injectable } from '@nestjs/common';
import type { CiSettings } from '../settings/settings';
import type { Choice, Occasion } from './choose-jobs';
import type { FileLimits } from './file-limits';
import { type IncludedFile, keyOf } from './include';
import { IncludedFileReader, type Reader } from './included-files';
import { PipelineFileError } from './job-spec';
import { PathReader } from './path-reader';
import { type KnownPaths, keyOfQuestion, type PathQuestion } from './repository-paths';
import type { Outcome, Work } from './work-out-in-thread';

/** The result of the validation of a file. */
export type Linted = Exclude<Outcome, { wanted: unknown } | { asked: unknown }>;

/** Limit of concurrently read files. */
const atOnce = 10;
/** For all of them: callers wait for half a minute. */
const includingMs = 15_000;

const batchesOf = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / atOnce) }, (_, n) => items.slice(n * atOnce, (n + 1) * atOnce));

/** Evaluates pipeline files in separate threads, since anybody who may push writes them. */
@Injectable()
export class PipelineFiles extends InThreads<Work, Outcome> {
  private readonly limits: FileLimits;

  constructor(
    @Inject(settingsToken) settings: CiSettings,
    private readonly included: IncludedFileReader,
    private readonly paths: PathReader,
    private readonly plans: KnownPlanLimits,
  ) {
    super('@moothall/ci/pipeline-file/work-out-in-thread', {
      withinMs: settings.CI_YAML_TIMEOUT * 1000,
      threads: 2,
    });
    this.limits = {
      sizeBytes: settings.CI_MAX_YAML_SIZE,
      depth: settings.CI_MAX_YAML_DEPTH,
      values: settings.CI_MAX_YAML_VALUES,
      jobs: settings.CI_MAX_JOBS,
      needs: settings.CI_MAX_NEEDS,
      pipelineBytes: settings.CI_MAX_PIPELINE_SIZE,
    };
  }

  /**
   * The content of a new pipeline.
   * @throws PipelineFileError with a message for the file's author; common.unavailable if too many files wait
   */
  async choose(content: string, occasion: Occasion, reader: Reader): Promise<Choice> {
    const outcome = await this.workOut({ content, occasion }, reader);
    if ('problem' in outcome) throw new PipelineFileError(outcome.problem);
    return outcome as Choice;
  }

  /** Validates a file: its jobs, or its error. @param reader undefined if nothing can be included */
  async lint(content: string, given: Pick<Work, 'occasion' | 'known'>, reader: Reader | undefined): Promise<Linted> {
    try {
      return await this.workOut({ content, ...given, isMerged: true }, reader);
    } catch (error) {
      if (error instanceof PipelineFileError) return { problem: error.message };
      throw error;
    }
  }

  /** Evaluates the file with its includes: each round returns what must be read for the next. */
  private async workOut(
    work: Pick<Work, 'content' | 'occasion' | 'known' | 'isMerged'>,
    reader: Reader | undefined,
  ): Promise<Linted> {
    const limits = await this.limitsNow();
    const files: Record<string, string> = {};
    let paths: KnownPaths = {};
    let bytes = Buffer.byteLength(work.content);
    const until = performance.now() + includingMs;
    for (;;) {
      if (bytes > this.limits.sizeBytes) throw tooBig();
      const outcome = await this.run({ ...work, limits, files, paths }, reader?.project.fullPath ?? '');
      if (performance.now() > until && ('asked' in outcome || 'wanted' in outcome)) throw tooSlow();
      if ('asked' in outcome) {
        paths = { ...paths, ...(await this.answer(outcome.asked, paths, reader)) };
        continue;
      }
      if (!('wanted' in outcome)) return outcome;
      for (const batch of batchesOf(outcome.wanted)) {
        if (performance.now() > until) throw tooSlow();
        const contents = await Promise.all(batch.map((file) => this.read(file, reader)));
        for (const [index, file] of batch.entries()) files[keyOf(file)] = contents[index] ?? '';
        bytes += contents.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        if (bytes > this.limits.sizeBytes) throw tooBig();
      }
    }
  }

  /** The limits of the plan, and at most those of this service's settings. */
  private async limitsNow(): Promise<FileLimits> {
    const [jobs, { ci_needs_size_limit: needs }] = await Promise.all([
      this.plans.most('ci_pipeline_size'),
      this.plans.read(),
    ]);
    return { ...this.limits, jobs: Math.min(jobs, this.limits.jobs), needs: Math.min(needs, this.limits.needs) };
  }

  private read(file: IncludedFile, reader: Reader | undefined): Promise<string> {
    if (!reader) throw new PipelineFileError('Files can be included in projects only');
    return this.included.read(file, reader, this.limits.sizeBytes);
  }

  /** For text alone, no facts are known. */
  private async answer(questions: PathQuestion[], known: KnownPaths, reader: Reader | undefined): Promise<KnownPaths> {
    if (reader) return this.paths.answer(questions, known, reader);
    return Object.fromEntries(questions.map((question) => [keyOfQuestion(question), null]));
  }

  private async run(work: Work, who: string): Promise<Outcome> {
    return this.pool.run(work, { who }).catch((error: unknown) => {
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound === 'waiting') throw commonErrors.unavailable();
      throw new PipelineFileError(`The file takes too much ${error.bound} to be worked out`);
    });
  }

  get sizeBytes(): number {
    return this.limits.sizeBytes;
  }
}

export const tooBig = (): PipelineFileError => new PipelineFileError('The parsed YAML is too big');
const tooSlow = (): PipelineFileError => new PipelineFileError('Included files take too long to be read');
