import { unattended } from '@moothall/logging';
import { runServices, type ServiceDefinition } from '@moothall/service';
import type { ServiceName } from './plan';

/** What a process does not run, it does not load. */
const known: Record<ServiceName, () => Promise<{ service: ServiceDefinition }>> = {
  ci: () => import('@moothall/ci'),
  collaboration: () => import('@moothall/collaboration'),
  delivery: () => import('@moothall/delivery'),
  geo: () => import('@moothall/geo'),
  identity: () => import('@moothall/identity'),
  integrations: () => import('@moothall/integrations'),
  projects: () => import('@moothall/projects'),
  registry: () => import('@moothall/registry'),
  repository: () => import('@moothall/repository'),
  security: () => import('@moothall/security'),
};

/** The services that its arguments name, in one process: one event loop serves them well on one machine, and memory is paid for once. */
async function run(names: ServiceName[]): Promise<void> {
  const modules = await Promise.all(names.map((name) => known[name]()));
  await runServices(modules.map(({ service }) => service));
}

unattended('services', run(process.argv.slice(2) as ServiceName[]));
