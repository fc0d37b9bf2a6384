import { z } from 'zod';

/** `file`: the job finds the value in a file, and the file's path in the variable. Source: specification 2.5. */
export const variableType = z.enum(['env_var', 'file']);

/** A variable of a schedule or pipeline. Source: specification 2.5. */
export const CiVariable = z.object({ key: z.string(), variable_type: variableType, value: z.string() });
export type CiVariable = z.infer<typeof CiVariable>;
