import { rmSync } from 'node:fs';
import { readEnv, SettingsError } from '@moothall/config';
import { ProgramError } from '@moothall/infrastructure';
import { unattended } from '@moothall/logging';
import { choosePort, localAddress, requireFreePort } from './address';
import { placesOf } from './backup/places';
import { tellAgain } from './backup/tell-again';
import { childEnvironment, environmentOf, type Values } from './child-environment';
import { type Replicas, readCommandLine } from './command-line';
import { greet } from './console/greet';
import { showLogLine } from './console/show-log-line';
import { endLeftovers } from './data-folder/end-leftovers';
import { keepSecrets, type Secrets } from './data-folder/keep-secrets';
import { lockDataFolder } from './data-folder/lock-data-folder';
import { type DataFolder, openDataFolder } from './data-folder/open-data-folder';
import { StartError } from './data-folder/start-error';
import { storagesOf } from './data-folder/storages-of';
import { writePrivateFile } from './data-folder/write-private-file';
import { type Plan, type PlannedProcess, planProcesses, planReplicas, usualProcesses } from './plan';
import { prepareRegistry } from './prepare-registry';
import { ChildMetrics } from './process/child-metrics';
import { type ChildDefinition, startChild } from './process/start-child';
import { standaloneSettings } from './settings';
import { Stack } from './stack';
import { type Beneath, requirePrograms, startBeneath } from './start-beneath';
import { fired, StopSignals } from './stop-signals';

export interface StandaloneOptions {
  /** Main modules of the processes. That of the services is told as arguments which. */
  modules: { gateway: string; services: string };
  /** Of the command line. */
  args?: readonly string[] | undefined;
  ensureAdministrator: (natsUrl: string, administrator: Secrets['administrator']) => Promise<void>;
}

/** What stands on nothing of ours is not replaced: its data are in one process. */
const firstTierOfOurs = 1;

/**
 * Runs the whole server on this machine until it is told to stop.
 * @returns the exit code: 0 after a clean stop, 1 when it could not start (said in one line) or was forced to stop
 */
export async function runStandalone(options: StandaloneOptions): Promise<number> {
  const signals = new StopSignals();
  outliveConsole();
  try {
    const wanted = readCommandLine(options.args ?? []);
    const read = readEnv(standaloneSettings);
    await requireFreePort(read.HOST, read.PORT);
    await requireFreePort(read.METRICS_HOST, read.METRICS_PORT, 'METRICS_PORT');
    const settings = {
      ...read,
      SSH_PORT: await choosePort(read.HOST, 'SSH_PORT', read.SSH_PORT),
      REGISTRY_PORT: await choosePort(read.HOST, 'REGISTRY_PORT', read.REGISTRY_PORT),
    };
    const folder = openDataFolder(settings.MOOTHALL_DATA_DIR);
    requirePrograms(settings);
    const unlock = lockDataFolder(folder.place.runFolder);
    try {
      return await runOn(folder, settings, { ...options, wanted }, signals);
    } finally {
      unlock();
    }
  } catch (error) {
    if (error instanceof StartError || error instanceof SettingsError || error instanceof ProgramError) {
      say(error.message);
      return 1;
    }
    throw error;
  }
}

async function runOn(
  folder: DataFolder,
  settings: Values,
  options: StandaloneOptions & { wanted?: Replicas | undefined },
  signals: StopSignals,
): Promise<number> {
  const secrets = keepSecrets(folder.secretsFile, settings);
  const stack = new Stack(say);
  // Left by a killed run: who waits for the file must not find an old one.
  rmSync(folder.connectionFile, { force: true });
  const stopped = fired(signals.stop).then(() => stack.stop());
  unattended(
    'the stop',
    fired(signals.force).then(() => stack.kill()),
  );
  let isUp = false;
  process.on('SIGUSR2', () => {
    if (isUp) unattended('the replacement', stack.replace(firstTierOfOurs));
  });
  try {
    await Promise.race([startAll(stack, folder, settings, secrets, options, signals.stop), stopped]);
    isUp = true;
    await fired(signals.stop);
    say('Stopping.');
  } catch (error) {
    // What was being started when the stop came ends with an error that nobody needs to read.
    if (!signals.stop.aborted) throw error;
  } finally {
    await stack.stop();
    rmSync(folder.connectionFile, { force: true });
  }
  return signals.force.aborted ? 1 : 0;
}

async function startAll(
  stack: Stack,
  folder: DataFolder,
  settings: Values,
  secrets: Secrets,
  { modules, wanted, ensureAdministrator }: StandaloneOptions & { wanted?: Replicas | undefined },
  stop: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  await endLeftovers(folder.place.runFolder);
  const beneath = await startBeneath(settings, secrets, folder.place, (name, launch) => stack.add(0, name, launch));
  if (stop.aborted) return;
  await tellAgain(folder.untoldEventsFile, beneath.natsUrl);
  const url = settings.EXTERNAL_URL ?? localAddress(settings.HOST, settings.PORT);
  const metrics = new ChildMetrics((error) => say(`metrics: ${error}`));
  const registry = await prepareRegistry(settings, folder.place, url);
  const env = { ...childEnvironment(settings, secrets, folder, beneath, url), ...registry?.environment };
  const plan = makePlan(settings, storagesOf(folder, process.env), wanted);
  const startIn = (tier: number, child: ChildDefinition) =>
    stack
      .add(tier, child.name, (signal, turn) =>
        startChild(child, {
          place: { ...folder.place, signal },
          turn,
          stopWithinMs: settings.STOP_TIMEOUT_SECONDS * 1000,
          silentMs: settings.HANG_TIMEOUT_SECONDS * 1000,
          warn: say,
          onLine: (line) => show(child.name, line, settings),
          metrics,
        }),
      )
      .start();
  const gateway = { module: modules.gateway, env, sharesPorts: true };
  await Promise.all([
    registry && stack.add(0, 'docker-registry', registry.launch).start(),
    ...plan.services.map((planned) => startIn(1, serviceChild(planned, modules.services, env))),
    ...plan.gateways.map((name) => startIn(2, { ...gateway, name })),
  ]);
  if (stop.aborted) return;
  await ensureAdministrator(beneath.natsUrl, secrets.administrator);
  const metricsPort = await metrics.port.listen(settings.METRICS_PORT, settings.METRICS_HOST);
  const urls = { url, metrics: localAddress(settings.METRICS_HOST, metricsPort) };
  await announce(folder, settings, secrets, { ...beneath, registryUrl: registry?.url ?? null }, urls, !wanted);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(wanted ? `Started in ${seconds} s at ${url}: ${plan.words}.` : `Started in ${seconds} s.`);
}

function makePlan({ PROCESSES }: Values, storages: readonly string[], wanted?: Replicas): Plan {
  if (wanted) return planReplicas(wanted.replicas, wanted.gateways, storages);
  return planProcesses(PROCESSES ?? usualProcesses(), storages);
}

const serviceChild = (planned: PlannedProcess, module: string, env: NodeJS.ProcessEnv): ChildDefinition => ({
  name: planned.name,
  module,
  args: planned.services,
  env: { ...env, ...environmentOf(planned) },
  isStandBy: planned.isStandBy,
});

async function announce(
  folder: DataFolder,
  settings: Values,
  { administrator: { username, password, token } }: Secrets,
  beneath: Beneath & { registryUrl: string | null },
  { url, metrics }: { url: string; metrics: string },
  isGreeted: boolean,
): Promise<void> {
  const isSignInValid = await acceptsToken(localAddress(settings.HOST, settings.PORT), token);
  writePrivateFile(folder.connectionFile, {
    url,
    token,
    username,
    password,
    pid: process.pid,
    mongodb_uri: beneath.mongodbUri,
    nats_url: beneath.natsUrl,
    redis_url: beneath.redisUrl,
    ssh_port: settings.SSH_PORT,
    registry_url: beneath.registryUrl,
    metrics_url: `${metrics}/-/metrics`,
    places: placesOf(folder, process.env),
  });
  if (isGreeted) say(greet({ url, username, password, token, connectionFile: folder.connectionFile, isSignInValid }));
}

/** Asks the server as a client would: the data may come from elsewhere, and a token may have been revoked. */
async function acceptsToken(url: string, token: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/v4/user`, { headers: { 'private-token': token } });
  return answer.ok;
}

function show(name: string, line: string, { LOG_LEVEL = 'warn' }: Values): void {
  const shown = showLogLine(name, line, LOG_LEVEL);
  if (shown !== undefined) say(shown);
}

/** Who read it may be gone, and with it whoever started the server: an error of that would leave processes behind. */
function outliveConsole(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
