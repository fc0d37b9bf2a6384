import { z } from 'zod';
import { commonErrors, invalidRecord, type OperationError } from './errors';

/** The largest size of a file; the gateway stops reading there. */
export interface FileLimit<Bytes = number | InstanceLimit | PlanLimit> {
  bytes: Bytes;
  tooLarge: (limitBytes: number) => OperationError;
}

/** A limit of an administrator, in megabytes; 0 leaves it to the gateway's own limit. */
export interface InstanceLimit {
  setting: 'max_artifacts_size' | 'max_attachment_size' | 'max_import_size';
}

/** A limit of the plan, in bytes; 0 leaves it to the gateway's own limit. See docs/api/instance.md#10. */
export interface PlanLimit {
  plan: 'generic_packages_max_file_size';
}

/** A file of a multipart body, see UploadedFile. It is at the top of an input, where the gateway looks for it. */
export const uploadedFile = (limit: FileLimit) => z.object({ ticket: z.string() }).meta({ file: limit });

/** A file that is the whole body, of any content type; or a file of that name in a multipart body. */
export const bodyFile = (limit: FileLimit) => z.object({ ticket: z.string() }).meta({ file: limit, isBody: true });

/** For the texts of a project. */
export const attachmentLimit: FileLimit<InstanceLimit> = {
  bytes: { setting: 'max_attachment_size' },
  tooLarge: () => commonErrors.tooLarge(),
};

/** @param field the name in the refusal */
export const imageLimit = (field: string, bytes: number): FileLimit<number> => ({
  bytes,
  tooLarge: () => invalidRecord({ [field]: [`is too big (should be at most ${bytes / 1024} KB)`] }),
});

/** Of users, projects and groups. */
export const avatarLimit = imageLimit('avatar', 200 * 1024);

/** A field with a file. */
export interface FileField {
  limit: FileLimit;
  /** Whether a body that is not multipart is the file. */
  isBody: boolean;
  /** Whether it also accepts a value that is no file, such as the empty text that removes an avatar. */
  takes(plain: unknown): boolean;
}

const noFiles: ReadonlyMap<string, FileField> = new Map();

/** The fields of an input with files, by name. */
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
    // An empty value is no file; the schema decides whether it is valid.
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
