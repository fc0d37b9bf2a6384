import { z } from 'zod';
import {
  administrator,
  errors,
  get,
  id,
  internal,
  internalOnProject,
  nothing,
  operation,
  page,
  post,
  projectRef,
  time,
} from '../operation';

export const storageMoveErrors = errors('storage_move', {
  destinationUnknown: {
    status: 400,
    message: { destination_storage_name: ['is not included in the list'] },
    means: 'No such storage, or the one where the repository is.',
  },
  projectReadOnly: { status: 400, message: { project: ['is read only'] }, means: 'Another move is under way.' },
  copyInUse: { status: 409, message: '409 Conflict', means: 'Clones still read the copy that is to be removed.' },
});

/** See docs/api/storages.md#1. */
export const StorageMove = z.object({
  id,
  created_at: time,
  state: z.enum(['initial', 'scheduled', 'started', 'finished', 'failed', 'replicated', 'cleanup failed']),
  source_storage_name: z.string(),
  destination_storage_name: z.string(),
  error_message: z.string().nullable(),
  project: z.object({
    id,
    description: z.string().nullable(),
    name: z.string(),
    name_with_namespace: z.string(),
    path: z.string(),
    path_with_namespace: z.string(),
    created_at: time,
  }),
});

export const listStorageMoves = operation({
  name: 'repository.storage-moves.list',
  summary: 'Moves of repositories between storages, newest first',
  http: get('/project_repository_storage_moves'),
  access: administrator(),
  input: z.object({}),
  output: page(StorageMove),
});

export const getStorageMove = operation({
  name: 'repository.storage-moves.get',
  refusals: ['common.not_found'],
  summary: 'One move',
  http: get('/project_repository_storage_moves/:move_id'),
  access: administrator(),
  input: z.object({ move_id: id }),
  output: StorageMove,
});

export const listProjectStorageMoves = operation({
  name: 'repository.project-storage-moves.list',
  summary: 'Moves of one project, newest first',
  http: get('/projects/:id/repository_storage_moves'),
  access: administrator(),
  input: z.object(projectRef),
  output: page(StorageMove),
});

export const getProjectStorageMove = operation({
  name: 'repository.project-storage-moves.get',
  summary: 'One move of a project',
  http: get('/projects/:id/repository_storage_moves/:move_id'),
  access: administrator(),
  input: z.object({ ...projectRef, move_id: id }),
  output: StorageMove,
});

const destination = z.string().optional().describe('Another storage is chosen unless given');

export const scheduleStorageMove = operation({
  name: 'repository.project-storage-moves.schedule',
  refusals: ['storage_move.destination_unknown', 'storage_move.project_read_only'],
  summary: 'Move a repository and its wiki to another storage',
  http: post('/projects/:id/repository_storage_moves'),
  access: administrator(),
  input: z.object({ ...projectRef, destination_storage_name: destination }),
  output: StorageMove,
});

export const scheduleStorageMoves = operation({
  name: 'repository.storage-moves.schedule',
  description: 'Of all projects on a storage.',
  refusals: ['storage_move.destination_unknown'],
  summary: 'Move all repositories of a storage',
  http: post('/project_repository_storage_moves', { success: 202 }),
  access: administrator(),
  input: z.object({ source_storage_name: z.string().min(1), destination_storage_name: destination }),
  output: z.object({ message: z.string() }),
});

/** Names of the existing storages. */
export const listStorages = operation({
  name: 'repository.storages.list',
  access: internal(),
  isRead: true,
  input: z.object({}),
  output: z.object({ names: z.array(z.string()) }),
});

/**
 * Blocks writes to a repository on the storage in the context, or allows them again. Answered when running writes
 * have ended.
 */
export const holdWrites = operation({
  name: 'repository.storage-moves.hold',
  access: internalOnProject(),
  input: z.object({ project_id: id, hold: z.boolean() }),
  output: nothing(),
  routedByStorage: true,
  timeoutSeconds: 600,
});

/**
 * Deletes the copy of a repository and its wiki from a storage that they have left.
 * @throws storage_move.copy_in_use while transfers read it
 */
export const discardCopy = operation({
  name: 'repository.storage-moves.discard',
  access: internalOnProject(),
  input: z.object({ project_id: id }),
  output: nothing(),
  routedByStorage: true,
  timeoutSeconds: 600,
});
