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
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** One process, as data. */
export interface PlannedProcess {
  /** Its name in logs, and of its pid file. */
  name: string;
  services: readonly ServiceName[];
  /** Storages that the repository service in it holds; entries of GIT_STORAGES. */
  storages: readonly string[];
  /** Waits until the holder of its storages is gone, and is as ready then as it can be. */
  isStandBy?: boolean;
}

/** Which processes run above NATS, Redis and MongoDB. */
export interface Plan {
  gateways: readonly string[];
  services: readonly PlannedProcess[];
  /** For a person. */
  words: string;
}

const processBytes = 512 * 1024 * 1024;

/** One for each core, as far as there is memory for them; never fewer than a gateway and the services. */
export function usualProcesses(cores = availableParallelism(), memoryBytes = usableMemory()): number {
  return Math.max(2, Math.min(cores, Math.floor(memoryBytes / processBytes)));
}

/** What a container may have is less than what its machine has. */
function usableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * So many processes, half of them gateways. Every one of the others has every service, but for the repository service:
 * a storage has one holder, so the storages are dealt out.
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

/** Each service in processes of its own, as on a cluster. Replicas of repository beyond the storages stand by for one. */
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

/** What the one with that index has of what is dealt out among so many. */
const dealt = (storages: readonly string[], count: number, index: number): string[] =>
  storages.filter((_, storage) => storage % count === index);

const numbered = (name: string, count: number): string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
