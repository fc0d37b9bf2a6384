import { z } from 'zod';
import { Issue } from '../collaboration/issue/issue-view';
import { takesPartInMergeRequests } from '../collaboration/merge-request/merge-request';
import { MergeRequest } from '../collaboration/merge-request/merge-request-view';
import { UserSummary } from '../identity/user';
import { errors, get, id, nothing, onProject, operation, page, post, projectRef, signedIn, time } from '../operation';

export const todoErrors = errors('todo', {
  notFound: { status: 404, message: '404 Not found', means: 'The caller has no such todo.' },
});

export const todoActions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'merge_train_removed',
  'review_requested',
] as const;
export type TodoAction = (typeof todoActions)[number];

export const todoTargets = ['Issue', 'MergeRequest'] as const;
export type TodoTarget = (typeof todoTargets)[number];

/** See docs/api/todos.md#1. */
export const Todo = z.object({
  id,
  project: z.object({
    id,
    description: z.string().nullable(),
    name: z.string(),
    name_with_namespace: z.string(),
    path: z.string(),
    path_with_namespace: z.string(),
    created_at: time,
  }),
  author: UserSummary,
  action_name: z.enum(todoActions),
  target_type: z.enum(todoTargets),
  target: z.union([Issue, MergeRequest]),
  target_url: z.string(),
  body: z.string().describe('The comment, or the title of the target'),
  state: z.enum(['pending', 'done']),
  created_at: time,
  updated_at: time,
});
export type Todo = z.infer<typeof Todo>;

export const listTodos = operation({
  name: 'integrations.todos.list',
  summary: 'List the to-dos of the caller, newest first',
  description: 'Leaves out to-dos on records that the caller may no longer read.',
  http: get('/todos'),
  access: signedIn(),
  input: z.object({
    action: z.enum(todoActions).optional().describe('Only those made for this reason'),
    author_id: id.optional(),
    project_id: id.optional(),
    group_id: id.optional().describe('Projects of that group, and of those below'),
    state: z.enum(['pending', 'done']).default('pending').describe('Whether they wait still'),
    type: z
      .enum([...todoTargets, 'Commit', 'Epic', 'DesignManagement::Design', 'AlertManagement::Alert'])
      .optional()
      .describe('Only those about such records'),
  }),
  output: page(Todo),
});

export const markTodoDone = operation({
  name: 'integrations.todos.mark-done',
  summary: 'Mark a todo as done',
  refusals: ['todo.not_found'],
  http: post('/todos/:id/mark_as_done'),
  access: signedIn(),
  input: z.object({ id }),
  output: Todo,
});

export const markAllTodosDone = operation({
  name: 'integrations.todos.mark-all-done',
  summary: 'Mark all to-dos of the caller as done',
  http: post('/todos/mark_as_done', { success: 204 }),
  access: signedIn(),
  input: z.object({}),
  output: nothing(),
});

export const createIssueTodo = operation({
  name: 'integrations.issue-todos.create',
  summary: 'Mark an issue as something to do',
  description: 'Answers 304 where the caller has a pending one on it already.',
  refusals: ['issue.not_found'],
  http: post('/projects/:id/issues/:issue_iid/todo'),
  access: onProject({ feature: 'issues' }),
  input: z.object({ ...projectRef, issue_iid: id }),
  output: Todo,
});

export const createMergeRequestTodo = operation({
  name: 'integrations.merge-request-todos.create',
  summary: 'Mark a merge request as something to do',
  description: 'Answers 304 where the caller has a pending one on it already.',
  refusals: ['merge_request.not_found'],
  http: post('/projects/:id/merge_requests/:merge_request_iid/todo'),
  access: takesPartInMergeRequests,
  input: z.object({ ...projectRef, merge_request_iid: id }),
  output: Todo,
});
