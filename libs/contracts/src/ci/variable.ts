import { z } from 'zod';

/** `file`: the job finds the value in a file, and the file's path in the variable. See docs/api/pipelines.md#5. */
export const variableType = z.enum(['env_var', 'file']);

/** Limit of variables of one pipeline, job or schedule. */
export const mostVariables = 1000;

/** A file as well. See docs/api/pipelines.md#5. */
export const variableValue = z.string().max(10_000);

/** A variable of a schedule or pipeline. See docs/api/pipelines.md#5. */
export const CiVariable = z.object({ key: z.string(), variable_type: variableType, value: z.string() });
export type CiVariable = z.infer<typeof CiVariable>;
