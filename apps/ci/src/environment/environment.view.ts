import type { getEnvironment, OutputOf } from '@moothall/contracts';
import type { EnvironmentRecord } from './environment.schema';

type Facts = Omit<OutputOf<typeof getEnvironment>, 'last_deployment'>;

/** An environment in lists. */
export const viewEnvironment = (environment: EnvironmentRecord): Facts => ({
  id: environment._id,
  name: environment.name,
  slug: environment.slug,
  description: environment.description,
  external_url: environment.externalUrl,
  state: environment.state,
  tier: environment.tier,
  created_at: environment.createdAt.toISOString(),
  updated_at: environment.updatedAt.toISOString(),
  auto_stop_at: environment.autoStopAt?.toISOString() ?? null,
  auto_stop_setting: environment.autoStopSetting,
  kubernetes_namespace: null,
  flux_resource_path: null,
  cluster_agent: null,
});
