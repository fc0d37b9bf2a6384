import { unattended } from '@moothall/logging';
import { takeOrders } from '@moothall/processes';
import { runServices, type ServiceDefinition } from '@moothall/service';
import { ensureAdministrator } from './administrator/ensure-administrator';
import type { FirstAdministrator } from './administrator/first-administrator';
import type { ServiceName } from './plan';
import { EventsAndJobs } from './reset/events-and-jobs';

/** A process loads only the services that it runs. */
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
  web: () => import('@moothall/web'),
};

/**
 * Runs the services named by its arguments in one process: on one machine one event loop is enough for them, and it
 * saves memory.
 */
async function run(names: ServiceName[]): Promise<void> {
  const natsUrl = String(process.env.NATS_URL);
  const withEventsAndJobs = async (work: (all: EventsAndJobs) => Promise<void>) => {
    const all = await EventsAndJobs.open(natsUrl, String(process.env.REDIS_URL));
    await work(all).finally(() => all.close());
  };
  takeOrders(process, {
    'ensure administrator': (administrator) => ensureAdministrator(natsUrl, administrator as FirstAdministrator),
    settle: () => withEventsAndJobs((all) => all.settle()),
    forget: () => withEventsAndJobs((all) => all.forget()),
  });
  const modules = await Promise.all(names.map((name) => known[name]()));
  await runServices(modules.map(({ service }) => service));
}

unattended('services', run(process.argv.slice(2) as ServiceName[]));
