import { z } from 'zod';
import { anyone, errors, get, id, onProject, operation, page, projectRef } from '../operation';

export const templateErrors = errors('template', {
  notFound: { status: 404, message: '404 Template Not Found', means: 'No template of that key.' },
  licenseNotFound: { status: 404, message: '404 License Not Found', means: 'No license of that key.' },
});

/** Templates that every instance has. */
const fileTypes = z.enum(['dockerfiles', 'gitignores', 'gitlab_ci_ymls']);
/** Including the kinds of project templates. See docs/api/templates.md#1. */
const types = z.enum([...fileTypes.options, 'licenses', 'metrics_dashboard_ymls', 'issues', 'merge_requests']);

const Entry = z.object({ key: z.string(), name: z.string() });
const FileTemplate = z.object({ name: z.string(), content: z.string() });

/** See docs/api/templates.md#2. */
export const License = z.object({
  key: z.string(),
  name: z.string(),
  nickname: z.string().nullable(),
  popular: z.boolean(),
  html_url: z.string().nullable(),
  source_url: z.string().nullable(),
  description: z.string().nullable(),
  conditions: z.array(z.string()),
  permissions: z.array(z.string()),
  limitations: z.array(z.string()),
  content: z.string(),
});

const expansion = {
  project: z.string().optional().describe('Replaces [project]; licenses only'),
  fullname: z.string().optional().describe('Copyright holder; licenses only. The caller unless given'),
};

export const listProjectTemplates = operation({
  name: 'repository.project-templates.list',
  description: 'Those of the project itself first.',
  summary: 'Templates of a kind: those of the project, and those of the instance',
  http: get('/projects/:id/templates/:type'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, type: types }),
  output: page(Entry),
});

export const getProjectTemplate = operation({
  name: 'repository.project-templates.get',
  refusals: ['template.not_found'],
  summary: 'One template, with its text',
  http: get('/projects/:id/templates/:type/:key'),
  access: onProject({ anonymous: true }),
  input: z.object({
    ...projectRef,
    type: types,
    key: z.string().min(1),
    source_template_project_id: id.optional().describe('Another project with the template'),
    ...expansion,
  }),
  output: z.union([License, FileTemplate]),
});

export const listInstanceTemplates = operation({
  name: 'repository.templates.list',
  summary: 'Templates of the instance',
  http: get('/templates/:type', { deprecated: true }),
  access: anyone(),
  input: z.object({ type: fileTypes }),
  output: page(Entry),
});

export const getInstanceTemplate = operation({
  name: 'repository.templates.get',
  refusals: ['template.not_found'],
  summary: 'One template of the instance',
  http: get('/templates/:type/:key', { deprecated: true }),
  access: anyone(),
  input: z.object({ type: fileTypes, key: z.string().min(1) }),
  output: FileTemplate,
});

export const listLicenses = operation({
  name: 'repository.licenses.list',
  summary: 'Licenses, with their texts',
  // Clients write it with a capital, too.
  http: ['licenses', 'Licenses'].map((name) => get(`/templates/${name}`, { deprecated: true })),
  access: anyone(),
  input: z.object({
    popular: z.boolean().optional(),
    featured: z.boolean().optional().describe('Old name of popular'),
  }),
  output: page(License),
});

export const getLicense = operation({
  name: 'repository.licenses.get',
  refusals: ['template.license_not_found'],
  summary: 'One license',
  http: ['licenses', 'Licenses'].map((name) => get(`/templates/${name}/:key`, { deprecated: true })),
  access: anyone(),
  input: z.object({ key: z.string().min(1), ...expansion }),
  output: License,
});
