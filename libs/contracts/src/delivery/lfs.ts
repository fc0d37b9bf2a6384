import { z } from 'zod';
import { bytes, id, internal, internalOnProject, nothing, operation } from '../operation';

/** SHA-256 of an object, as git-lfs writes it into the pointer that stands for it in git. */
export const lfsOid = z.string().regex(/^[0-9a-f]{64}$/, 'is invalid');
/** Larger numbers are no sizes that JSON carries exactly. */
export const lfsSize = z.int().min(0);
/** One request names up to so many. Clients send a hundred. */
export const mostLfsObjects = 1000;

const object = z.object({ oid: lfsOid, size: lfsSize });
/** What the gateway takes of one file, which the service does not know. */
const mostBytes = { most_bytes: z.int() };

export const lfsObjectStates = ['there', 'missing', 'too_large', 'project_full', 'of_other_size'] as const;

/** What there is of some objects, in their order. See docs/api/lfs.md#2. */
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

/** Those of some objects that a project does not have. See docs/api/lfs.md#6. */
export const missingLfsObjects = operation({
  name: 'delivery.lfs-objects.list-missing',
  access: internal(),
  isRead: true,
  input: z.object({ project_id: id, oids: z.array(lfsOid).max(mostLfsObjects) }),
  output: z.array(lfsOid),
});

/** Where an object is sent to. It is there when that address has answered 200. See docs/api/lfs.md#3. */
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

/** Whether an object is there, and as large. @throws lfs.object_not_found, lfs.wrong_content */
export const verifyLfsObject = operation({
  name: 'delivery.lfs-objects.verify',
  access: internalOnProject(),
  isRead: true,
  input: object,
  output: nothing(),
});

/** Gives a fork all objects of what it is made of; before anybody knows of the fork. May run twice. */
export const copyLfsObjects = operation({
  name: 'delivery.lfs-objects.copy',
  access: internal(),
  input: z.object({ project_id: id, from_project_id: id }),
  output: nothing(),
  timeoutSeconds: 300,
});

/** Bytes that the objects of projects have together; projects without any are left out. */
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
