import { z } from 'zod';
import { administrator, commaList, event, get, internal, operation, put, someChangeOf } from '../operation';
import { visibility } from './settings';

/** Settings that administrators change while the instance runs. Limits of 0 are off. */
const settings = {
  default_projects_limit: z.int().min(0),
  default_project_visibility: visibility,
  default_group_visibility: visibility,
  default_branch_name: z.string(),
  restricted_visibility_levels: commaList(visibility),
  signup_enabled: z.boolean(),
  gravatar_enabled: z.boolean(),
  home_page_url: z.string(),
  after_sign_out_path: z.string(),
  user_default_external: z.boolean(),
  max_attachment_size: z.int().min(0).describe('Megabytes'),
  max_import_size: z.int().min(0).describe('Megabytes'),
  session_expire_delay: z.int().min(0).describe('Minutes'),
  password_authentication_enabled_for_web: z.boolean(),
  password_authentication_enabled_for_git: z.boolean(),
  impersonation_tokens_enabled: z.boolean(),
  import_sources: commaList(z.string()),
  allow_local_requests_from_web_hooks_and_services: z.boolean(),
  allow_local_requests_from_system_hooks: z.boolean(),
  outbound_local_requests_whitelist: commaList(z.string()),
  dns_rebinding_protection_enabled: z.boolean(),
  notes_create_limit: z.int().min(0).describe('Per minute and user'),
  container_registry_token_expire_delay: z.int().positive().describe('Minutes'),
};

export const ApplicationSettings = z.object(settings);
export type ApplicationSettings = z.infer<typeof ApplicationSettings>;

/** What an instance starts with. Source: the decisions at the head of the clarifications; A.7. */
export const defaultApplicationSettings: ApplicationSettings = {
  default_projects_limit: 100_000,
  default_project_visibility: 'private',
  default_group_visibility: 'private',
  default_branch_name: 'main',
  restricted_visibility_levels: [],
  signup_enabled: false,
  gravatar_enabled: false,
  home_page_url: '',
  after_sign_out_path: '',
  user_default_external: false,
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
  dns_rebinding_protection_enabled: true,
  notes_create_limit: 0,
  container_registry_token_expire_delay: 5,
};

export const getApplicationSettings = operation({
  name: 'projects.application-settings.get',
  http: get('/application/settings'),
  access: administrator(),
  input: z.object({}),
  output: ApplicationSettings,
});

export const updateApplicationSettings = operation({
  name: 'projects.application-settings.update',
  http: put('/application/settings'),
  access: administrator(),
  input: ApplicationSettings.partial().refine(...someChangeOf(...Object.keys(settings))),
  output: ApplicationSettings,
});

/** The same for services. Ask again after `projects.application-settings.changed`. */
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
