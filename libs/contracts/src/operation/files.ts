import { z } from 'zod';
import { commonErrors, invalidRecord, type OperationError } from './errors';

/** How large a file may be; the gateway stops reading there. */
export interface FileLimit<Bytes = number | InstanceLimit | PlanLimit> {
  bytes: Bytes;
  tooLarge: (limitBytes: number) => OperationError;
}

/** What an administrator has set, in megabytes; 0 leaves it to the gateway's own limit. */
export interface InstanceLimit {
  setting: 'max_artifacts_size' | 'max_attachment_size' | 'max_import_size';
}

/** What an administrator has set for the plan, in bytes; 0 leaves it to the gateway's own limit. See docs/api/instance.md#10. */
export interface PlanLimit {
  plan: 'generic_packages_max_file_size';
}

/** A file of a multipart body, see UploadedFile. Stands at the top of an input, where the gateway looks for it. */
export const uploadedFile = (limit: FileLimit) => z.object({ ticket: z.string() }).meta({ file: limit });

/** A file that is the whole body, whatever its type says; or a file of that name in a multipart body. */
export const bodyFile = (limit: FileLimit) => z.object({ ticket: z.string() }).meta({ file: limit, isBody: true });

/** For the texts of a project. */
export const attachmentLimit: FileLimit<InstanceLimit> = {
  bytes: { setting: 'max_attachment_size' },
  tooLarge: () => commonErrors.tooLarge(),
};

/** @param field whom the refusal names */
export const imageLimit = (field: string, bytes: number): FileLimit<number> => ({
  bytes,
  tooLarge: () => invalidRecord({ [field]: [`is too big (should be at most ${bytes / 1024} KB)`] }),
});

/** Of users, projects and groups. */
export const avatarLimit = imageLimit('avatar', 200 * 1024);

/** A field that takes files. */
export interface FileField {
  limit: FileLimit;
  /** Whether a body that is not multipart is the file. */
  isBody: boolean;
  /** Whether it may also have a value that is no file, as the empty text that removes an avatar. */
  takes(plain: unknown): boolean;
}

const noFiles: ReadonlyMap<string, FileField> = new Map();

/** The fields of an input that take files, by name. */
export function fileFieldsOf(input: z.ZodType): ReadonlyMap<string, FileField> {
  if (!(input instanceof z.ZodObject)) return noFiles;
  const found = Object.entries(input.shape).flatMap(([name, schema]) => {
    const field = fileFieldOf(schema as z.ZodType);
    return field ? [[name, field] as const] : [];
  });
  return found.length > 0 ? new Map(found) : noFiles;
}

function fileFieldOf(schema: z.ZodType): FileField | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const field = fileFieldOf(schema.unwrap() as z.ZodType);
    // What stands for nothing is no file; whether it is a value at all is the schema's to say.
    return field && { ...field, takes: (plain) => plain === null || plain === '' || field.takes(plain) };
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as z.ZodType[];
    const limit = options.map(limitOf).find((one) => one !== undefined);
    const others = options.filter((option) => !limitOf(option));
    return (
      limit && { limit, isBody: false, takes: (plain) => others.some((option) => option.safeParse(plain).success) }
    );
  }
  const limit = limitOf(schema);
  return limit && { limit, isBody: schema.meta()?.isBody === true, takes: () => false };
}

const limitOf = (schema: z.ZodType): FileLimit | undefined => schema.meta()?.file as FileLimit | undefined;
