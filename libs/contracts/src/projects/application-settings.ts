import { z } from 'zod';
import { administrator, commaList, event, get, internal, operation, put, readWebAddress } from '../operation';
import { visibility } from './settings';
import { defaultThrottles, throttleSettings } from './throttles';

const isWebAddress = (text: string): boolean => text === '' || readWebAddress(text) !== undefined;
/** Browsers are redirected there: a web address and no script. */
const webAddress = z.string().max(255).refine(isWebAddress, 'does not have a valid value');
/** The same, or a path of this server. */
const destination = z
  .string()
  .max(255)
  .refine((text) => isWebAddress(text) || /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text), 'does not have a valid value');

/**
 * Settings that administrators change while the instance runs. Limits of 0 are disabled. Only settings with an effect
 * are here. Answers do not contain the others of v4 servers: nobody can sign up, names are always resolved once and
 * connected at the checked address, and tokens of the registry have a fixed lifetime.
 */
const settings = {
  default_projects_limit: z.int().min(0),
  default_project_visibility: visibility,
  default_group_visibility: visibility,
  default_branch_name: z.string().max(255),
  restricted_visibility_levels: commaList(visibility),
  gravatar_enabled: z.boolean(),
  home_page_url: webAddress.describe('Where those who are not signed in are led from the start page'),
  after_sign_out_path: destination.describe('Target of the redirect after sign-out: a path or a URL'),
  user_default_external: z.boolean(),
  max_artifacts_size: z.int().min(0).describe('Megabytes of one file of a job'),
  max_attachment_size: z.int().min(0).describe('Megabytes'),
  max_import_size: z.int().min(0).describe('Megabytes'),
  session_expire_delay: z.int().min(0).max(525_600).describe('Minutes that a browser stays signed in; 0 is a week'),
  password_authentication_enabled_for_web: z.boolean(),
  password_authentication_enabled_for_git: z.boolean(),
  impersonation_tokens_enabled: z.boolean(),
  import_sources: commaList(z.string()).describe(
    'Without git nothing is imported from a URL; other sources are not there',
  ),
  allow_local_requests_from_web_hooks_and_services: z.boolean(),
  allow_local_requests_from_system_hooks: z.boolean(),
  outbound_local_requests_whitelist: commaList(z.string()),
  notes_create_limit: z.int().min(0).describe('Per minute and user'),
  search_rate_limit: z.int().min(0).describe('Searches of one user in a minute; 0 is no limit'),
  ...throttleSettings,
};

export const ApplicationSettings = z.object(settings);
export type ApplicationSettings = z.infer<typeof ApplicationSettings>;

/** The defaults of an instance. See docs/api/instance.md#1. */
export const defaultApplicationSettings: ApplicationSettings = {
  default_projects_limit: 100_000,
  default_project_visibility: 'private',
  default_group_visibility: 'private',
  default_branch_name: 'main',
  restricted_visibility_levels: [],
  gravatar_enabled: false,
  home_page_url: '',
  after_sign_out_path: '',
  user_default_external: false,
  max_artifacts_size: 100,
  max_attachment_size: 10,
  max_import_size: 50,
  session_expire_delay: 10_080,
  password_authentication_enabled_for_web: true,
  password_authentication_enabled_for_git: true,
  impersonation_tokens_enabled: true,
  import_sources: ['git'],
  allow_local_requests_from_web_hooks_and_services: false,
  allow_local_requests_from_system_hooks: true,
  outbound_local_requests_whitelist: [],
  notes_create_limit: 0,
  search_rate_limit: 0,
  ...defaultThrottles,
};

export const getApplicationSettings = operation({
  name: 'projects.application-settings.get',
  summary: 'Settings of the instance',
  http: get('/application/settings'),
  access: administrator(),
  input: z.object({}),
  output: ApplicationSettings,
});

export const updateApplicationSettings = operation({
  name: 'projects.application-settings.update',
  summary:
    'Changes settings of the instance; those of other v4 servers that are not named here have no effect and are not answered',
  http: put('/application/settings'),
  access: administrator(),
  // Tools send all settings of v4 servers; unknown ones are ignored.
  input: ApplicationSettings.partial(),
  output: ApplicationSettings,
});

/** The same for services. Read it again after `projects.application-settings.changed`. */
export const readApplicationSettings = operation({
  name: 'projects.application-settings.read',
  access: internal(),
  isRead: true,
  input: z.object({}),
  output: ApplicationSettings,
});

export const applicationSettingsChanged = event({
  name: 'projects.application-settings.changed',
  data: z.object({ names: z.array(z.string()) }),
});
