import { memberLevels, mergeRequestIidOf, type ProjectRef, signJobIdToken } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import type { ServiceSettings } from '@moothall/service';
import { settingsToken } from '@moothall/service';
import type { UserRecord } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { DeployRights } from '../environment/deploy-rights';
import { tierOf } from '../environment/environment-name';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';
import { pipelineFilePath } from '../pipeline/predefined-variables';
import { expand } from '../pipeline-file/expand';
import type { JobEnvironment, JobSpec, Variables } from '../pipeline-file/job-spec';

/** The claims of a token. */
export interface Shown {
  pipeline: Pipeline;
  job: Job;
  spec: JobSpec;
  project: ProjectRef;
  runnerId: number;
  maker: UserRecord | undefined;
  environment: JobEnvironment | undefined;
}

const levelNames: Record<number, string> = {
  10: 'guest',
  20: 'reporter',
  30: 'developer',
  40: 'maintainer',
  50: 'owner',
};
const shortestSeconds = 300;
/** Keys are published for at least this time. */
const longestSeconds = 86_400;
const longestAudience = 2048;

/** Id tokens of jobs for other services. See docs/api/pipeline-files.md#11. */
@Injectable()
export class JobIdTokens {
  constructor(
    private readonly client: OperationClient,
    private readonly rights: DeployRights,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  /** @param known variables in audiences @returns tokens by their variables */
  async sign(shown: Shown, known: Variables): Promise<[string, string][]> {
    const wanted = Object.entries(shown.spec.idTokens ?? {});
    if (wanted.length === 0) return [];
    const claims = await this.claimsOf(shown);
    const { ref_type, ref } = claims;
    const said = {
      subject: `project_path:${shown.project.fullPath}:ref_type:${ref_type}:ref:${ref}`,
      expires_in_seconds: Math.min(Math.max(shown.job.timeoutSeconds, shortestSeconds), longestSeconds),
      claims,
    };
    const short = Object.fromEntries(
      Object.entries(known).map(([key, value]) => [key, value.slice(0, longestAudience)]),
    );
    return Promise.all(
      wanted.map(async ([key, names]): Promise<[string, string]> => {
        const audiences = names.map((name) => expand(name, short).slice(0, longestAudience));
        return [key, (await this.client.call(signJobIdToken, { ...said, audiences })).token];
      }),
    );
  }

  private async claimsOf({ pipeline, job, project, runnerId, maker, environment }: Shown) {
    const { isTag, sha } = pipeline;
    const ref = pipeline.mergeRequest?.source_branch ?? pipeline.ref;
    const refPath = pathOf(pipeline);
    const { host, pathname } = new URL(this.settings.EXTERNAL_URL);
    const config = `${host}${pathname.replace(/\/$/, '')}/${project.fullPath}//${pipelineFilePath(project)}`;
    return {
      namespace_id: String(project.namespaceId),
      namespace_path: project.fullPath.slice(0, -project.path.length - 1),
      project_id: String(project.id),
      project_path: project.fullPath,
      project_visibility: project.visibility,
      ...(maker && {
        user_id: String(maker.id),
        user_login: maker.username,
        user_email: maker.email,
        ...(await this.levelOf(maker.id, project)),
      }),
      pipeline_id: String(pipeline._id),
      pipeline_source: pipeline.source,
      job_id: String(job.id),
      ref,
      ref_type: isTag ? 'tag' : 'branch',
      ref_path: refPath,
      ref_protected: String(pipeline.isProtected),
      ...(environment && (await this.claimsOfEnvironment(environment, project))),
      runner_id: runnerId,
      runner_environment: 'self-hosted',
      sha,
      ci_config_ref_uri: `${config}@${refPath}`,
      ci_config_sha: sha,
    };
  }

  private async levelOf(userId: number, { id }: ProjectRef) {
    const [level] = await this.client.call(memberLevels, { project_id: id, user_ids: [userId] });
    return level && { user_access_level: levelNames[level.access_level] ?? String(level.access_level) };
  }

  private async claimsOfEnvironment({ name, action, tier }: JobEnvironment, project: ProjectRef) {
    return {
      environment: name,
      environment_protected: String(await this.rights.isProtected(project, { name, tier })),
      environment_action: action,
      deployment_tier: tier ?? tierOf(name),
    };
  }
}

function pathOf({ ref, isTag }: Pick<Pipeline, 'ref' | 'isTag'>): string {
  if (mergeRequestIidOf(ref) !== undefined) return ref;
  return isTag ? `refs/tags/${ref}` : `refs/heads/${ref}`;
}
