import { z } from 'zod';
import { Access, errors, get, onProject, operation, patch, projectRef, put, text } from '../operation';

/** Where a project's errors are tracked. The external address goes under both names. Source: specification 2.22; B.22. */
export const ErrorTrackingSettings = z.object({
  active: z.boolean(),
  project_name: z.string(),
  sentry_external_url: z.string(),
  tracker_external_url: z.string(),
  api_url: z.string(),
  integrated: z.boolean(),
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
  http: get('/projects/:id/error_tracking/settings'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object(projectRef),
  output: ErrorTrackingSettings,
});

/** Switches the configured settings on or off. */
export const switchErrorTracking = operation({
  name: 'projects.error-tracking.switch',
  http: patch('/projects/:id/error_tracking/settings'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, active: z.boolean(), integrated: z.boolean().optional() }),
  output: ErrorTrackingSettings,
});

/** Configures a tracker; the token is kept encrypted and never shown. */
export const configureErrorTracking = operation({
  name: 'projects.error-tracking.configure',
  http: put('/projects/:id/error_tracking/settings'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({
    ...projectRef,
    active: z.boolean().default(true),
    api_url: text.describe('Address of the tracker’s interface'),
    external_url: z.string().optional().describe('Address of the tracker’s page; made from api_url unless given'),
    project_name: text,
    token: z.string().optional(),
    integrated: z.boolean().default(false),
  }),
  output: ErrorTrackingSettings,
});
