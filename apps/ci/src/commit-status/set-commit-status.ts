import {
  type Caller,
  type ContextOf,
  ciSource,
  commitStatusErrors,
  commonErrors,
  forbidden,
  getCommit,
  listCommitRefs,
  only,
  type ParsedOf,
  type ProjectRef,
  present,
  setCommitStatus,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Pipeline } from '../pipeline/pipeline.schema';
import { AlreadyTriggered } from '../pipeline/pipeline-insertion';
import { factsOf } from '../pipeline/pipeline-maker';
import { requireActive } from '../pipeline/pipeline-rules';
import { stateOf } from '../pipeline/pipeline-state';
import { pipelineFilePath } from '../pipeline/predefined-variables';
import { RefRights } from '../pipeline/ref-rights';
import { type StatusReport, withReport } from '../pipeline/reported';
import { CommitStatusViews } from './commit-status.view';

type Asked = ParsedOf<typeof setCommitStatus>;

interface NewPipeline {
  project: ProjectRef;
  caller: Caller;
  sha: string;
  ref: string;
  said: StatusReport;
  newId: number;
}

@Controller()
export class SetCommitStatus {
  constructor(
    private readonly client: OperationClient,
    private readonly pipelines: Pipelines,
    private readonly refs: RefRights,
    private readonly views: CommitStatusViews,
  ) {}

  @Handles(setCommitStatus)
  async set({ project, caller }: ContextOf<typeof setCommitStatus>, input: Asked) {
    requireActive(project);
    const asked = { id: input.id, sha: input.sha, stats: false };
    const { id: sha } = await this.client.call(getCommit, asked, { project, caller });
    const said = { ...saidOf(input), userId: caller.id };
    const newId = await this.pipelines.takeJobIds(1);
    const known = await this.pipelineOf(project, sha, input);
    const pipeline = known
      ? await this.report(known, { project, caller, said, newId })
      : await this.make({ project, caller, sha, said, newId, ref: await this.refOf(project, caller, sha, input) });
    const one = present(
      pipeline.reported?.find(({ name, isRetried }) => name === said.name && !isRetried),
      'what was reported',
    );
    return only(await this.views.many([{ one, pipeline }], project));
  }

  /** @throws pipeline.not_found for one that was named and is of another commit */
  private async pipelineOf(project: ProjectRef, sha: string, { ref, pipeline_id }: Asked): Promise<Pipeline | null> {
    const filter = { projectId: project.id, sha, ...(ref && { ref }) };
    if (pipeline_id === undefined) return this.pipelines.findLast(filter);
    const { _id } = await this.pipelines.get(project.id, pipeline_id);
    return this.pipelines.findLast({ ...filter, _id });
  }

  private async report(
    { _id, ref }: Pipeline,
    { project, caller, said, newId }: Omit<NewPipeline, 'sha' | 'ref'>,
  ): Promise<Pipeline> {
    await this.refs.require(project, caller, ref);
    return this.pipelines.report(_id, withReport(said, newId));
  }

  private async refOf(project: ProjectRef, caller: Caller, sha: string, { id, ref }: Asked): Promise<string> {
    if (ref) return ref;
    const asked = { id, sha, type: 'branch' as const, page: 1, per_page: 1 };
    const { items } = await this.client.call(listCommitRefs, asked, { project, caller });
    if (!items[0]) throw commitStatusErrors.noReference();
    return items[0].name;
  }

  /** Of concurrent callers, one creates it, and the others report to that one. */
  private async make({ project, caller, sha, ref, said, newId }: NewPipeline): Promise<Pipeline> {
    const asked = { ref, sha, is_admin: caller.isAdmin, path: pipelineFilePath(project), max_bytes: 1 };
    const source = await this.client.call(ciSource, asked, { project });
    if (!source) throw commitStatusErrors.noReference();
    if (!source.may_update) throw forbidden();
    const now = new Date();
    const reported = withReport(said, newId)([], now);
    const { pendingSince, deadlineAt, nextStartAt, ...state } = stateOf([], stateBefore, now, reported);
    const ids = await this.pipelines.takeIds(project.id, 0);
    const triggerKey = `status of ${project.id} ${sha} ${ref}`;
    try {
      return await this.pipelines.add({
        _id: ids.id,
        iid: ids.iid,
        projectId: project.id,
        ref,
        ...factsOf(source),
        beforeSha: source.before_sha,
        source: 'external',
        userId: caller.id,
        yamlErrors: null,
        triggerKey,
        variables: [],
        jobs: [],
        reported,
        revision: 0,
        ...state,
      });
    } catch (error) {
      if (!(error instanceof AlreadyTriggered)) throw error;
      const made = await this.pipelines.findLast({ triggerKey });
      // Created, and already deleted.
      if (!made) throw commonErrors.conflict();
      return this.pipelines.report(made._id, withReport(said, newId));
    }
  }
}

const stateBefore = { status: 'created', startedAt: null, finishedAt: null } as const;

const saidOf = ({ name, context, state, target_url, description, coverage }: Asked): Omit<StatusReport, 'userId'> => ({
  name: name ?? context ?? 'default',
  status: state,
  targetUrl: target_url,
  description,
  coverage,
});
