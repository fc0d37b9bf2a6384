import { environmentName } from '@moothall/contracts';
import { environmentSlug, tierOf } from '../environment/environment-name';
import { expandUpTo } from '../pipeline-file/expand';
import type { Environment, JobEnvironment, Variables } from '../pipeline-file/job-spec';

const maxNameLength = 255;
const maxUrlLength = 2000;

/** The environment of a job with resolved variables. @param known variables in its texts */
export function placedEnvironment(environment: Environment, known: Variables): JobEnvironment {
  const name = expandUpTo(maxNameLength, environment.name, known);
  const { url, autoStopIn, action = 'start' } = environment;
  const ofName = { ...known, ...namesOf(name) };
  return {
    ...environment,
    name,
    action,
    ...(url && { url: expandUpTo(maxUrlLength, url, ofName) }),
    ...(autoStopIn && { autoStopIn: expandUpTo(maxNameLength, autoStopIn, ofName) }),
  };
}

/** Whether the name of an environment is valid. See docs/api/deployments.md#1. */
export const isEnvironmentName = (name: string): boolean => environmentName.safeParse(name).success;

const namesOf = (name: string): Variables => ({
  CI_ENVIRONMENT_NAME: name,
  CI_ENVIRONMENT_SLUG: environmentSlug(name),
});

/** Variables about the environment of a job; none without one. */
export function environmentVariables(environment: JobEnvironment | undefined): Variables {
  if (!environment) return {};
  const { name, action, tier, url } = environment;
  return {
    ...namesOf(name),
    CI_ENVIRONMENT_ACTION: action,
    CI_ENVIRONMENT_TIER: tier ?? tierOf(name),
    ...(url && { CI_ENVIRONMENT_URL: url }),
  };
}

/** Of the key of a resource group, in which the environment may be named. */
export const expandResourceGroup = (key: string, known: Variables): string => expandUpTo(maxNameLength, key, known);
