import type { Throttle } from '@moothall/contracts';
import type { FieldFacts } from '../../parts/field-list';
import { visibilityOptions } from '../../parts/visibility-options';

/** Some settings under a heading. */
export interface SettingSection {
  title: string;
  fields: readonly FieldFacts[];
}

const listed = 'Separated by commas.';
const megabytes = 'In megabytes. 0 for no limit.';

/** Defaults, accounts and sign-in. */
export const generalSections: readonly SettingSection[] = [
  {
    title: 'New projects and groups',
    fields: [
      { name: 'default_project_visibility', label: 'Visibility of new projects', is: visibilityOptions },
      { name: 'default_group_visibility', label: 'Visibility of new groups', is: visibilityOptions },
      {
        name: 'restricted_visibility_levels',
        label: 'Visibilities that only administrators may choose',
        hint: `${listed} private, internal or public. If public is among them, visitors cannot look up users.`,
      },
      { name: 'default_branch_name', label: 'Default branch of new repositories' },
      { name: 'default_projects_limit', label: 'Limit of projects of a new user', required: true },
    ],
  },
  {
    title: 'Users',
    fields: [
      { name: 'user_default_external', label: 'New users are external', is: true },
      {
        name: 'gravatar_enabled',
        label: 'Users without a picture get one from gravatar.com',
        hint: 'The API answers with its address. Pages do not load pictures from other servers.',
        is: true,
      },
      { name: 'impersonation_tokens_enabled', label: 'Administrators can create impersonation tokens', is: true },
    ],
  },
  {
    title: 'Sign-in',
    fields: [
      {
        name: 'password_authentication_enabled_for_web',
        label: 'Users can sign in to pages with a password',
        hint: 'Without it, nobody can sign in to pages. The API can enable it again.',
        is: true,
      },
      {
        name: 'password_authentication_enabled_for_git',
        label: 'Users can use git over HTTP with a password',
        hint: 'Without it, git needs a token.',
        is: true,
      },
      {
        name: 'session_expire_delay',
        label: 'Minutes that a browser stays signed in',
        hint: '0 for a week.',
        required: true,
      },
      {
        name: 'home_page_url',
        label: 'Start page of visitors',
        hint: 'A web address. Leave it empty for the start page of this server.',
      },
      {
        name: 'after_sign_out_path',
        label: 'Page after the sign-out',
        hint: 'A path or a web address. Leave it empty for the sign-in page.',
      },
    ],
  },
];

const throttles: Record<Throttle, string> = {
  unauthenticated_api: 'API, by address of visitors',
  authenticated_api: 'API, by user',
  unauthenticated_web: 'Pages, by address of visitors',
  authenticated_web: 'Pages, by user',
  unauthenticated_packages_api: 'Packages, by address of visitors',
  authenticated_packages_api: 'Packages, by user',
  unauthenticated_files_api: 'Files of repositories, by address of visitors',
  authenticated_files_api: 'Files of repositories, by user',
};

const throttleSections: readonly SettingSection[] = Object.entries(throttles).map(([name, title]) => ({
  title,
  fields: [
    { name: `throttle_${name}_enabled`, label: 'Limit these requests', is: true },
    { name: `throttle_${name}_requests_per_period`, label: 'Requests in a period', required: true },
    { name: `throttle_${name}_period_in_seconds`, label: 'Seconds of a period', required: true },
  ],
}));

/** Sizes, requests to other servers, and limits of requests. */
export const networkSections: readonly SettingSection[] = [
  {
    title: 'Sizes',
    fields: [
      { name: 'max_attachment_size', label: 'Largest attachment', hint: megabytes, required: true },
      { name: 'max_import_size', label: 'Largest import', hint: megabytes, required: true },
      { name: 'max_artifacts_size', label: 'Largest file of a job', hint: megabytes, required: true },
    ],
  },
  {
    title: 'Requests to other servers',
    fields: [
      {
        name: 'allow_local_requests_from_web_hooks_and_services',
        label: 'Webhooks and integrations may call servers in the local network',
        is: true,
      },
      {
        name: 'allow_local_requests_from_system_hooks',
        label: 'System hooks may call servers in the local network',
        is: true,
      },
      {
        name: 'outbound_local_requests_whitelist',
        label: 'Local addresses that may always be called',
        hint: `${listed} For example 10.0.0.5 or build.example.com:8080.`,
      },
      {
        name: 'import_sources',
        label: 'Sources of imports',
        hint: 'With git, users can import projects from a URL. Leave it empty to forbid that.',
      },
    ],
  },
  {
    title: 'Limits by user and minute',
    fields: [
      { name: 'notes_create_limit', label: 'Comments', hint: '0 for no limit.', required: true },
      { name: 'search_rate_limit', label: 'Searches', hint: '0 for no limit.', required: true },
    ],
  },
  ...throttleSections,
  {
    title: 'Answer above a limit',
    fields: [
      { name: 'rate_limiting_response_text', label: 'Text', hint: 'Leave it empty for the text “Retry later”.' },
    ],
  },
];
