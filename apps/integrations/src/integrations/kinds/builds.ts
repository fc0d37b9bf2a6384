import { isGone, type Payload, type PipelinePayload, refName } from '../payload/payload';
import { basicAuth, below, type OutgoingRequest, postJson, type Settings, setting } from '../request/outgoing';

const credentials = (settings: Settings) => basicAuth(setting(settings, 'username'), setting(settings, 'password'));
const xml = (text: string): string => text.replace(/[<>&"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

export function bambooRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  if (payload.object_kind !== 'push' || isGone(payload)) return [];
  const url = below(setting(settings, 'bamboo_url'), ['updateAndBuild.action'], {
    buildKey: setting(settings, 'build_key'),
    os_authType: 'basic',
  });
  return [{ method: 'GET', url, headers: credentials(settings), body: '' }];
}

export function teamcityRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  if (payload.object_kind !== 'push' || isGone(payload)) return [];
  const url = below(setting(settings, 'teamcity_url'), ['httpAuth', 'app', 'rest', 'buildQueue']);
  const buildType = `<buildType id="${xml(setting(settings, 'build_type'))}"/>`;
  const body = `<build branchName="${xml(refName(payload))}">${buildType}</build>`;
  return [{ method: 'POST', url, headers: { 'content-type': 'application/xml', ...credentials(settings) }, body }];
}

export function jenkinsRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const folders = setting(settings, 'project_name').split('/');
  return [postJson(below(setting(settings, 'jenkins_url'), ['project', ...folders]), payload, credentials(settings))];
}

/** The token has two parts: one for the webhook, one to read the status of a build. */
export function buildkiteRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const [webhookToken = ''] = setting(settings, 'token').split(':');
  return [postJson(below('https://webhook.buildkite.com', ['deliver', webhookToken]), payload)];
}

/** Sends only events that Drone can build. */
export function droneRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const isBuilt =
    payload.object_kind === 'merge_request'
      ? payload.object_attributes.state === 'opened'
      : (payload.object_kind === 'push' || payload.object_kind === 'tag_push') && !isGone(payload);
  if (!isBuilt) return [];
  const path = payload.project.path_with_namespace;
  const at = path.lastIndexOf('/');
  const url = below(setting(settings, 'drone_url'), ['hook'], {
    owner: path.slice(0, at),
    name: path.slice(at + 1),
    access_token: setting(settings, 'token'),
  });
  return [postJson(url, payload)];
}

export function packagistRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const url = below(setting(settings, 'server') || 'https://packagist.org', ['api', 'update-package'], {
    username: setting(settings, 'username'),
    apiToken: setting(settings, 'token'),
  });
  return [postJson(url, payload)];
}

export function datadogRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  const site = setting(settings, 'datadog_site') || 'datadoghq.com';
  const given = setting(settings, 'api_url');
  if (!given && !/^[a-z0-9][a-z0-9.-]*$/i.test(site)) return [];
  const base = given || `https://webhooks-http-intake.logs.${site}/v1/input`;
  const url = below(base, [setting(settings, 'api_key')], {
    ...(settings.datadog_service && { service: setting(settings, 'datadog_service') }),
    ...(settings.datadog_env && { env: setting(settings, 'datadog_env') }),
  });
  return [postJson(url, payload)];
}

const statuses: Readonly<Record<string, string>> = { success: 'success', failed: 'failure', canceled: 'failure' };

/** The status of a commit at the other system, from the pipeline here. */
export function commitStatusRequests(payload: Payload, settings: Settings): OutgoingRequest[] {
  if (payload.object_kind !== 'pipeline') return [];
  const repository = new URL(setting(settings, 'repository_url'));
  const names = repository.pathname
    .replace(/\.git$/, '')
    .split('/')
    .filter((name) => name !== '');
  const [owner, name] = names.slice(-2);
  if (!owner || !name) return [];
  const api = repository.hostname === 'github.com' ? 'https://api.github.com' : `${repository.origin}/api/v3`;
  const url = below(api, ['repos', owner, name, 'statuses', payload.object_attributes.sha]);
  const headers = {
    accept: 'application/vnd.github.v3+json',
    authorization: `token ${setting(settings, 'token')}`,
  };
  return [postJson(url, statusOf(payload, settings), headers)];
}

function statusOf({ project, object_attributes: it }: PipelinePayload, settings: Settings) {
  const own = new URL(project.web_url).host;
  return {
    state: statuses[it.status] ?? 'pending',
    target_url: `${project.web_url}/-/pipelines/${it.id}`,
    description: `Pipeline ${it.status} on ${own}`.slice(0, 140),
    // Without the ref, a rule there can require it for every branch.
    context: `ci/moothall/${settings.static_context === false ? it.ref : own}`,
  };
}
