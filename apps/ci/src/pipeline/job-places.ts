import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { ChosenJob } from '../pipeline-file/choose-jobs';
import type { Variables } from '../pipeline-file/job-spec';
import type { CiSettings } from '../settings/settings';
import { openVariable } from '../variable/sealed-variable';
import {
  environmentVariables,
  expandResourceGroup,
  isEnvironmentName,
  placedEnvironment,
} from './environment-variables';
import type { Job, Pipeline } from './pipeline.schema';
import type { PipelineRequest } from './pipeline-maker';
import { predefinedVariables, runVariables } from './predefined-variables';

type Made = PipelineFacts & Pick<Pipeline, '_id' | 'iid' | 'createdAt'>;
type PipelineFacts = Parameters<typeof predefinedVariables>[0];

/** Environments and resource groups of the jobs of a new pipeline, with variables resolved. */
@Injectable()
export class JobPlaces {
  constructor(
    private readonly box: SecretBox,
    @Inject(settingsToken) private readonly settings: CiSettings,
  ) {}

  /** @param chosen the jobs in the file */
  place(jobs: Job[], chosen: ChosenJob[], pipeline: Made, request: PipelineRequest): Job[] {
    const { project, schedule, variables } = request;
    const isNeeded = chosen.some(({ spec, resourceGroup }) => spec.environment || resourceGroup !== null);
    if (!isNeeded) return jobs;
    const { EXTERNAL_URL } = this.settings;
    const predefined = predefinedVariables(pipeline, project, this.settings, schedule?.description);
    const opened = variables.map((variable) => openVariable(this.box, variable));
    const given = Object.fromEntries(opened.map(({ key, value }) => [key, value]));
    return jobs.map((job, index) => {
      const { spec, resourceGroup = null } = chosen[index] ?? {};
      if (!spec) return job;
      const ofRun = runVariables(pipeline, job, project, EXTERNAL_URL);
      return placed(
        job,
        { ...predefined, ...ofRun, ...spec.variables, ...given },
        {
          environment: spec.environment,
          resourceGroup,
        },
      );
    });
  }
}

type Written = { environment: ChosenJob['spec']['environment']; resourceGroup: string | null };

function placed(job: Job, known: Variables, { environment, resourceGroup }: Written): Job {
  const place = environment && placedEnvironment(environment, known);
  // Its deployment could not be found again.
  if (place && !isEnvironmentName(place.name)) {
    return { ...job, status: 'failed', failureReason: 'environment_creation_failure', finishedAt: job.createdAt };
  }
  const ofPlace = { ...known, ...environmentVariables(place) };
  return {
    ...job,
    ...(place && { environment: place }),
    ...(resourceGroup !== null && { resourceGroup: expandResourceGroup(resourceGroup, ofPlace) }),
  };
}
