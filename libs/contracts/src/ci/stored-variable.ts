import { z } from 'zod';
import {
  Access,
  type AccessLevel,
  administrator,
  del,
  errors,
  get,
  nothing,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  page,
  post,
  put,
  someChangeOf,
  text,
} from '../operation';
import { variableType, variableValue } from './variable';

export const variableErrors = errors('ci_variable', {
  notFound: { status: 404, message: '404 Variable Not Found', means: 'No variable of that key and scope here.' },
  ambiguous: {
    status: 409,
    message: "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
    means: 'Several variables have that key, for different environments.',
  },
});

/** A variable of an instance for all of its jobs. See docs/api/pipelines.md#10. */
export const InstanceVariable = z.object({
  key: z.string(),
  value: z.string(),
  variable_type: variableType,
  protected: z.boolean(),
  masked: z.boolean(),
  raw: z.boolean(),
  description: z.string().nullable(),
});

export type InstanceVariable = z.infer<typeof InstanceVariable>;

/** The same for a project or group. */
export const ScopedVariable = InstanceVariable.extend({
  value: z.string().nullable().describe('null if the variable is hidden'),
  environment_scope: z.string(),
  hidden: z.boolean(),
});
export type ScopedVariable = z.infer<typeof ScopedVariable>;

const facts = {
  variable_type: variableType,
  protected: z.boolean().describe('Only jobs of protected branches and tags get it'),
  masked: z.boolean().describe('Runners mask the value in the output of jobs'),
  raw: z.boolean().describe('What looks like a variable in it is left as it is'),
  description: z.string().max(255).nullable(),
};
const creation = {
  key: text.describe('Letters, digits and `_`'),
  value: variableValue,
  variable_type: facts.variable_type.default('env_var'),
  protected: facts.protected.default(false),
  masked: facts.masked.default(false),
  raw: facts.raw.default(false),
  description: facts.description.optional(),
};
const change = {
  value: variableValue.optional(),
  variable_type: facts.variable_type.optional(),
  protected: facts.protected.optional(),
  masked: facts.masked.optional(),
  raw: facts.raw.optional(),
  description: facts.description.optional(),
};
const key = { key: z.string().describe('Of the variable') };
const environmentScope = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[a-zA-Z0-9_/\\${}. \-*]+$/, 'is invalid')
  .describe('Environment whose jobs get it; `*` matches any text');
const filter = {
  filter: z
    .object({ environment_scope: z.string().optional() })
    .optional()
    .describe('Which is meant, where several have the key'),
};

function variablesOf<R extends ParentRule>({ kind, path, ref, on }: Parent<R>, level: AccessLevel) {
  const managed = on({ level, ability: 'admin_cicd_variables' });
  const one = { ...ref, ...key, ...filter };
  return {
    list: operation({
      name: `ci.${kind}-variables.list`,
      summary: `Variables of a ${kind}, for its jobs`,
      http: get(`${path}/variables`),
      access: managed,
      input: z.object(ref),
      output: page(ScopedVariable),
    }),
    get: operation({
      name: `ci.${kind}-variables.get`,
      summary: `One variable of a ${kind}`,
      refusals: ['ci_variable.not_found', 'ci_variable.ambiguous'],
      http: get(`${path}/variables/:key`),
      access: managed,
      input: z.object(one),
      output: ScopedVariable,
    }),
    create: operation({
      name: `ci.${kind}-variables.create`,
      summary: `Create a variable for jobs of a ${kind}`,
      refusals: ['common.invalid_record for a key that is taken, and a value that cannot be masked'],
      http: post(`${path}/variables`),
      access: managed,
      input: z.object({
        ...ref,
        ...creation,
        masked_and_hidden: z.boolean().default(false).describe('Masked, and no answer shows the value, for good'),
        environment_scope: environmentScope.default('*'),
      }),
      output: ScopedVariable,
    }),
    update: operation({
      name: `ci.${kind}-variables.update`,
      summary: `Change a variable of a ${kind}`,
      refusals: ['ci_variable.not_found', 'ci_variable.ambiguous', 'common.invalid_record'],
      http: put(`${path}/variables/:key`),
      access: managed,
      input: z
        .object({ ...one, ...change, environment_scope: environmentScope.optional() })
        .refine(...someChangeOf(...Object.keys(change), 'environment_scope')),
      output: ScopedVariable,
    }),
    delete: operation({
      name: `ci.${kind}-variables.delete`,
      summary: `Remove a variable of a ${kind}`,
      refusals: ['ci_variable.not_found', 'ci_variable.ambiguous'],
      http: del(`${path}/variables/:key`),
      access: managed,
      input: z.object(one),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectVariables,
  get: getProjectVariable,
  create: createProjectVariable,
  update: updateProjectVariable,
  delete: deleteProjectVariable,
} = variablesOf(ofProjects, Access.Maintainer);

export const {
  list: listGroupVariables,
  get: getGroupVariable,
  create: createGroupVariable,
  update: updateGroupVariable,
  delete: deleteGroupVariable,
} = variablesOf(ofGroups, Access.Owner);

export const listInstanceVariables = operation({
  name: 'ci.instance-variables.list',
  summary: 'Variables of the instance, for all jobs',
  http: get('/admin/ci/variables'),
  access: administrator(),
  input: z.object({}),
  output: page(InstanceVariable),
});

export const getInstanceVariable = operation({
  name: 'ci.instance-variables.get',
  summary: 'One variable of the instance',
  refusals: ['ci_variable.not_found'],
  http: get('/admin/ci/variables/:key'),
  access: administrator(),
  input: z.object(key),
  output: InstanceVariable,
});

export const createInstanceVariable = operation({
  name: 'ci.instance-variables.create',
  summary: 'Create a variable for all jobs',
  refusals: ['common.invalid_record for a key that is taken, and a value that cannot be masked'],
  http: post('/admin/ci/variables'),
  access: administrator(),
  input: z.object(creation),
  output: InstanceVariable,
});

export const updateInstanceVariable = operation({
  name: 'ci.instance-variables.update',
  summary: 'Change a variable of the instance',
  refusals: ['ci_variable.not_found', 'common.invalid_record'],
  http: put('/admin/ci/variables/:key'),
  access: administrator(),
  input: z.object({ ...key, ...change }).refine(...someChangeOf(...Object.keys(change))),
  output: InstanceVariable,
});

export const deleteInstanceVariable = operation({
  name: 'ci.instance-variables.delete',
  summary: 'Remove a variable of the instance',
  refusals: ['ci_variable.not_found'],
  http: del('/admin/ci/variables/:key'),
  access: administrator(),
  input: z.object(key),
  output: nothing(),
});
