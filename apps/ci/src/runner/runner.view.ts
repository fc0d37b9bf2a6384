import type { getRunner, listAllRunners, OutputOf, ProjectRef } from '@moothall/contracts';
import type { Runner } from './runner.schema';

type Basics = OutputOf<typeof listAllRunners>['items'][number];
type Detail = OutputOf<typeof getRunner>;

const onlineForMs = 2 * 60 * 60 * 1000;

export function viewRunner(runner: Runner): Basics {
  const { contactedAt, isPaused } = runner;
  const isOnline = contactedAt !== null && Date.now() - contactedAt.getTime() < onlineForMs;
  return {
    id: runner._id,
    description: runner.description,
    ip_address: runner.ip,
    active: !isPaused,
    paused: isPaused,
    is_shared: runner.projectId === null,
    runner_type: runner.projectId === null ? 'instance_type' : 'project_type',
    name: runner.info.name ?? null,
    online: isOnline,
    status: contactedAt === null ? 'never_contacted' : isOnline ? 'online' : 'offline',
  };
}

/** @param project of the runner, if there is one */
export function viewRunnerDetail(runner: Runner, project: ProjectRef | undefined): Detail {
  const { info } = runner;
  return {
    ...viewRunner(runner),
    architecture: info.architecture ?? null,
    platform: info.platform ?? null,
    revision: info.revision ?? null,
    version: info.version ?? null,
    contacted_at: runner.contactedAt?.toISOString() ?? null,
    access_level: runner.accessLevel,
    maximum_timeout: runner.maximumTimeoutSeconds,
    run_untagged: runner.runsUntagged,
    locked: runner.isLocked,
    tag_list: runner.tags,
    projects: project
      ? [
          {
            id: project.id,
            name: project.name,
            name_with_namespace: project.nameWithNamespace,
            path: project.path,
            path_with_namespace: project.fullPath,
          },
        ]
      : [],
    groups: [],
  };
}
