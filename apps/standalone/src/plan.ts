import { availableParallelism, totalmem } from 'node:os';

export const serviceNames = [
  'ci',
  'collaboration',
  'delivery',
  'geo',
  'identity',
  'integrations',
  'projects',
  'registry',
  'repository',
  'security',
  'web',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A planned process, as data. */
export interface PlannedProcess {
  /** Name in logs, and of its pid file. */
  name: string;
  services: readonly ServiceName[];
  /** Storages of its repository service; entries of GIT_STORAGES. */
  storages: readonly string[];
  /** Whether it waits until the owner of its storages ends, as ready as possible. */
  isStandBy?: boolean;
}

/** The processes that run on top of NATS, Redis and MongoDB. */
export interface Plan {
  gateways: readonly string[];
  services: readonly PlannedProcess[];
  /** Description for people. */
  words: string;
}

const processBytes = 512 * 1024 * 1024;

/** One per core, if memory allows; at least a gateway and one process of services. */
export function usualProcesses(cores = availableParallelism(), memoryBytes = usableMemory()): number {
  return Math.max(2, Math.min(cores, Math.floor(memoryBytes / processBytes)));
}

/** The memory limit of a container is below that of the machine. */
function usableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Half of the processes are gateways. Each of the others runs every service, except the repository service: a storage
 * has one owner, so the storages are distributed.
 */
export function planProcesses(processes: number, storages: readonly string[]): Plan {
  const gateways = Math.max(1, Math.floor(processes / 2));
  const count = processes - gateways;
  const services = numbered('services', count).map((name, index): PlannedProcess => {
    const own = dealt(storages, count, index);
    return { name, services: serviceNames.filter((one) => one !== 'repository' || own.length > 0), storages: own };
  });
  return { gateways: numbered('gateway', gateways), services, words: `${processes} processes` };
}

/**
 * Each service in processes of its own, as on a cluster. Replicas of repository beyond the number of storages are on
 * standby.
 */
export function planReplicas(replicas: number, gateways: number, storages: readonly string[]): Plan {
  const sharedBy = (index: number) => storages.slice(index % storages.length).slice(0, 1);
  const services = serviceNames.flatMap((service) =>
    numbered(service, replicas).map((name, index): PlannedProcess => {
      if (service !== 'repository') return { name, services: [service], storages: [] };
      const own = dealt(storages, replicas, index);
      if (own.length > 0) return { name, services: [service], storages: own };
      return { name, services: [service], storages: sharedBy(index), isStandBy: true };
    }),
  );
  const words = `${gateways} gateways, ${replicas} of each service`;
  return { gateways: numbered('gateway', gateways), services, words };
}

/** The share of one process when storages are distributed. */
const dealt = (storages: readonly string[], count: number, index: number): string[] =>
  storages.filter((_, storage) => storage % count === index);

const numbered = (name: string, count: number): string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
