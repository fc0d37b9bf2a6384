import { z } from 'zod';
import { bytes, id, internal, internalOnProject, nothing, operation } from '../operation';

/** SHA-256 of an object, in the format of git-lfs pointers. */
export const lfsOid = z.string().regex(/^[0-9a-f]{64}$/, 'is invalid');
/** Larger numbers are no sizes that JSON carries exactly. */
export const lfsSize = z.int().min(0);
/** Limit of objects in one request. Clients send a hundred. */
export const mostLfsObjects = 1000;

const object = z.object({ oid: lfsOid, size: lfsSize });
/** The gateway's limit of a file, which the service does not know. */
const mostBytes = { most_bytes: z.int() };

export const lfsObjectStates = ['there', 'missing', 'too_large', 'project_full', 'of_other_size'] as const;

/** The existing ones of some objects, in their order. See docs/api/lfs.md#2. */
export const findLfsObjects = operation({
  name: 'delivery.lfs-objects.find',
  access: internalOnProject(),
  isRead: true,
  input: z.object({
    ...mostBytes,
    objects: z.array(object).max(mostLfsObjects),
    /** Whether they are to be sent, and so have to fit. */
    to_upload: z.boolean(),
  }),
  output: z.array(object.extend({ state: z.enum(lfsObjectStates) })),
});

/** The missing ones of some objects in a project. See docs/api/lfs.md#6. */
export const missingLfsObjects = operation({
  name: 'delivery.lfs-objects.list-missing',
  access: internal(),
  isRead: true,
  input: z.object({ project_id: id, oids: z.array(lfsOid).max(mostLfsObjects) }),
  output: z.array(lfsOid),
});

/** The upload URL of an object. The object exists when that URL has answered 200. See docs/api/lfs.md#3. */
export const uploadLfsObject = operation({
  name: 'delivery.lfs-objects.upload',
  access: internalOnProject(),
  input: object.extend(mostBytes),
  output: bytes(),
});

export const downloadLfsObject = operation({
  name: 'delivery.lfs-objects.download',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ oid: lfsOid }),
  output: bytes(),
});

/** Whether an object exists with this size. @throws lfs.object_not_found, lfs.wrong_content */
export const verifyLfsObject = operation({
  name: 'delivery.lfs-objects.verify',
  access: internalOnProject(),
  isRead: true,
  input: object,
  output: nothing(),
});

/** Adds all objects of the source to a fork, before the fork is visible. May run twice. */
export const copyLfsObjects = operation({
  name: 'delivery.lfs-objects.copy',
  access: internal(),
  input: z.object({ project_id: id, from_project_id: id }),
  output: nothing(),
  timeoutSeconds: 300,
});

/** Total bytes of the objects of projects; projects without any are omitted. */
export const lfsObjectSizes = operation({
  name: 'delivery.lfs-objects.sizes',
  access: internal(),
  isRead: true,
  input: z.object({ project_ids: z.array(id).max(1000) }),
  output: z.array(z.object({ project_id: id, size_bytes: z.int() })),
});

/** Objects of the context's project in the order of their names, after `after`: all of them are listed by going on after the last. */
export const listLfsObjects = operation({
  name: 'delivery.lfs-objects.list',
  access: internalOnProject(),
  isRead: true,
  input: z.object({ after: z.string().max(64).default(''), limit: z.int().min(1).max(1000).default(1000) }),
  output: z.array(object),
});
