import {
  type Caller,
  callerInput,
  type OutputOf,
  type ProjectRef,
  projectRefs,
  showRecords,
  type Todo,
  type UserSummary,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import type { TodoDocument } from './todo.schema';

type Shown = OutputOf<typeof showRecords>;

interface Known {
  targets: ReadonlyMap<string, Todo['target']>;
  notes: ReadonlyMap<number, Shown['notes'][number]>;
  projects: ReadonlyMap<number, ProjectRef>;
  authors: ReadonlyMap<number, UserSummary>;
}

/** Shows to-dos with their target as the user may see it now; hidden targets are left out. */
@Injectable()
export class TodoViews {
  constructor(
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
  ) {}

  async view(todos: TodoDocument[], caller: Caller): Promise<Todo[]> {
    if (todos.length === 0) return [];
    const idsOf = (type: string) => [
      ...new Set(todos.flatMap(({ targetType, targetId }) => (targetType === type ? targetId : []))),
    ];
    const wanted = {
      issue_ids: idsOf('Issue'),
      merge_request_ids: idsOf('MergeRequest'),
      note_ids: todos.flatMap(({ noteId }) => noteId ?? []),
    };
    const ids = [...new Set(todos.map(({ projectId }) => projectId))];
    const [shown, projects, authors] = await Promise.all([
      this.client.call(showRecords, wanted, { caller }),
      this.client.call(projectRefs, { ids, ...callerInput(caller) }),
      this.users.summaries(todos.map(({ authorId }) => authorId)),
    ]);
    const known: Known = {
      targets: targetsOf(shown),
      notes: new Map(shown.notes.map((note) => [note.id, note])),
      projects: new Map(projects.map((project) => [project.id, project])),
      authors,
    };
    return todos.flatMap((todo) => viewTodo(todo, known) ?? []);
  }
}

const targetsOf = ({ issues, merge_requests }: Shown): Map<string, Todo['target']> =>
  new Map([
    ...issues.map((issue): [string, Todo['target']] => [`Issue/${issue.id}`, issue]),
    ...merge_requests.map((one): [string, Todo['target']] => [`MergeRequest/${one.id}`, one]),
  ]);

function viewTodo(todo: TodoDocument, { targets, notes, projects, authors }: Known): Todo | undefined {
  const target = targets.get(`${todo.targetType}/${todo.targetId}`);
  const note = todo.noteId === null ? undefined : notes.get(todo.noteId);
  const project = projects.get(todo.projectId);
  const author = authors.get(todo.authorId);
  if (!target || !project || !author || (todo.noteId !== null && !note)) return undefined;
  return {
    id: todo._id,
    project: {
      id: project.id,
      description: project.description,
      name: project.name,
      name_with_namespace: project.nameWithNamespace,
      path: project.path,
      path_with_namespace: project.fullPath,
      created_at: project.createdAt,
    },
    author,
    action_name: todo.action,
    target_type: todo.targetType,
    target,
    target_url: note ? `${target.web_url}#note_${note.id}` : target.web_url,
    body: note?.body ?? target.title,
    state: todo.state,
    created_at: todo.createdAt.toISOString(),
    updated_at: todo.updatedAt.toISOString(),
  };
}
