import { z } from 'zod';
import { Access, errors, get, onProject, operation, patch, projectRef, put, text } from '../operation';

/** The error tracker of a project. The external address is returned under both names. See docs/api/projects.md#5. */
export const ErrorTrackingSettings = z.object({
  active: z.boolean(),
  project_name: z.string().nullable(),
  sentry_external_url: z.string().nullable(),
  tracker_external_url: z.string().nullable(),
  api_url: z.string().nullable(),
  integrated: z
    .boolean()
    .describe('Errors are stored on this server, not by an external tracker, which then has no URL'),
});
export type ErrorTrackingSettings = z.infer<typeof ErrorTrackingSettings>;

export const errorTrackingErrors = errors('error_tracking', {
  notConfigured: {
    status: 404,
    message: '404 Error Tracking Setting Not Found',
    means: 'Error tracking was never configured for the project.',
  },
});

export const getErrorTracking = operation({
  name: 'projects.error-tracking.get',
  summary: 'Where errors of a project are tracked',
  refusals: ['error_tracking.not_configured'],
  http: get('/projects/:id/error_tracking/settings'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object(projectRef),
  output: ErrorTrackingSettings,
});

export const switchErrorTracking = operation({
  name: 'projects.error-tracking.switch',
  summary: 'Switch error tracking on or off',
  description: 'It has to be configured already.',
  refusals: ['error_tracking.not_configured'],
  http: patch('/projects/:id/error_tracking/settings'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, active: z.boolean(), integrated: z.boolean().optional() }),
  output: ErrorTrackingSettings,
});

export const configureErrorTracking = operation({
  name: 'projects.error-tracking.configure',
  summary: 'Configure where errors of a project are tracked',
  description:
    'The token is stored encrypted and never returned. Without a token, which some clients never send, the tracking is integrated.',
  http: put('/projects/:id/error_tracking/settings'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({
    ...projectRef,
    active: z.boolean().default(true),
    api_url: text.max(255).optional().describe('Address of the tracker’s interface; needed unless integrated'),
    external_url: z
      .string()
      .max(255)
      .optional()
      .describe('Address of the tracker’s page; made from api_url unless given'),
    project_name: text.max(255).optional().describe('Needed unless integrated'),
    token: z.string().max(255).optional(),
    integrated: z.boolean().default(false),
  }),
  output: ErrorTrackingSettings,
});
