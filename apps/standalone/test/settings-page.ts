import { renderSettings, type Settings } from '@moothall/config';
import { documentedSettings } from './documented-settings';

/** Groups of settings by task, in the order of the page. A name ending in `*` stands for all with that prefix. */
const groups: Record<string, string> = {
  'Addresses, ports and data':
    'PORT HOST SSH_PORT REGISTRY_PORT EXTERNAL_URL TRUST_PROXY MOOTHALL_DATA_DIR EDITION REPORTED_VERSION',
  'First start, secrets and sign-in':
    'ROOT_PASSWORD ROOT_TOKEN SECRET_KEY SECRET_KEY_ACCEPTED TOKEN_PREFIX SIGN_IN_FAILURES SIGNATURE_CA_FILE',
  'Database, messages and queues': 'MONGODB_ENGINE MONGODB_URI MONGODB_PREFIX NATS_* EVENT_* REDIS_URL FSYNC',
  'File storage': 'S3_*',
  Mail: 'SMTP_URL MAIL_*',
  'Logs, metrics and traces': 'LOG_LEVEL METRICS_* SLOW_OPERATION_MS FOLLOW_REQUESTS OTEL_*',
  Processes: 'PROCESSES ROLES HANG_TIMEOUT_SECONDS STOP_TIMEOUT_SECONDS DRAIN_TIMEOUT RECOVERY_PACE',
  'Limits of requests and connections':
    'MAX_* SLOW_REQUESTS_PER_CALLER HEADERS_TIMEOUT BODY_* ANSWER_* TRANSFER_IDLE_TIMEOUT SSH_MAX_CONNECTIONS SSH_SHARE *_RATE_LIMIT',
  'Projects, groups and repositories':
    'PROJECTS_LIMIT PROJECT_* GROUP_* GIT_* REPOSITORY_SIZE_LIMIT LFS_SIZE_LIMIT IMPORT_TIMEOUT MIRROR_INTERVAL STORAGE_MOVE_GRACE MAINTENANCE_PUSHES ARCHIVE_CACHE',
  Pipelines: 'CI_*',
  'Container registry': 'REGISTRY_*',
  'Webhooks and integrations': 'DELIVERY_* HOOK_OFF_AFTER',
  'Security reports': 'EXPORT_PART_ROWS',
  'Secondary sites': 'GEO_* REPLICA_*',
  Tests: 'RESETTABLE CHECK_OUTPUT',
};

const head = `# Settings

Every setting, its values and its default. For operators. Settings are environment variables. A wrong value stops the start, and the message lists all wrong values at once.
\`PORT=9000 npm start\` sets one; the image and Kubernetes take the same names ([operations.md](operations.md)).
`;

/** docs/settings.md, from the settings in the code. @throws Error for a setting without a group */
export function renderSettingsPage(): string {
  const left = new Map(Object.entries(documentedSettings()));
  const sections = Object.entries(groups).map(([title, names]) => {
    const settings: Settings = {};
    for (const pattern of names.split(' ').map(patternOf))
      for (const [name, setting] of [...left].filter(([each]) => pattern.test(each))) {
        settings[name] = setting;
        left.delete(name);
      }
    return `\n## ${title}\n\n${renderSettings(settings)}\n`;
  });
  if (left.size > 0) throw new Error(`no group of docs/settings.md has ${[...left.keys()].join(', ')}`);
  return [head, ...sections].join('');
}

const patternOf = (name: string): RegExp => new RegExp(`^${name.replaceAll('*', '\\w+')}$`);
