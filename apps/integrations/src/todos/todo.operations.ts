import {
  type Caller,
  type ContextOf,
  callerInput,
  createIssueTodo,
  createMergeRequestTodo,
  getIssue,
  getMergeRequest,
  isFeatureOpen,
  isReadable,
  listTodos,
  markAllTodosDone,
  markTodoDone,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
  present,
  projectRefs,
  Reply,
  type Todo,
  todoErrors,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { type TargetKey, Todos } from './todo.repository';
import type { TodoDocument } from './todo.schema';
import { TodoViews } from './todo-views';

type Input = ParsedOf<typeof listTodos>;

const idsPerCall = 1000;

/** Kinds of targets, with their feature of the project. */
const targetKinds = [
  { targetType: 'Issue', feature: 'issues' },
  { targetType: 'MergeRequest', feature: 'merge_requests' },
] as const;

/** Operations on the caller's to-dos. */
@Controller()
export class TodoOperations {
  constructor(
    private readonly todos: Todos,
    private readonly views: TodoViews,
    private readonly client: OperationClient,
  ) {}

  @Handles(listTodos)
  async list({ caller }: ContextOf<typeof listTodos>, input: Input) {
    const wanted: QueryFilter<TodoDocument> = {
      userId: caller.id,
      state: input.state,
      ...(input.action && { action: input.action }),
      ...(input.author_id !== undefined && { authorId: input.author_id }),
    };
    const within = await this.findWithin(caller, input);
    const { items, ...page } = await this.todos.page({ ...wanted, ...within }, input);
    return { ...page, items: await this.views.view(items, caller) };
  }

  /** Among the projects with to-dos of the caller, those where the feature is open to them. */
  private async findWithin(caller: Caller, input: Input): Promise<QueryFilter<TodoDocument>> {
    const kinds = targetKinds.filter(({ targetType }) => (input.type ?? targetType) === targetType);
    const ids = await Promise.all(
      kinds.map(({ targetType }) => this.todos.projectsOf({ userId: caller.id, state: input.state, targetType })),
    );
    const open = await this.findOpen(new Set(ids.flat()), caller, input);
    const within = kinds.map(({ targetType, feature }, at) => {
      const has = new Set(ids[at]);
      const projects = open.filter((project) => has.has(project.id) && isFeatureOpen(project, feature));
      return { targetType, projectId: { $in: projects.map(({ id }) => id) } };
    });
    return { $or: within.filter(({ projectId }) => projectId.$in.length > 0) };
  }

  private async findOpen(ids: Set<number>, caller: Caller, { project_id, group_id }: Input) {
    const asked = [...ids].filter((id) => (project_id ?? id) === id);
    const projects: OutputOf<typeof projectRefs> = [];
    for (let at = 0; at < asked.length; at += idsPerCall) {
      const some = asked.slice(at, at + idsPerCall);
      projects.push(...(await this.client.call(projectRefs, { ids: some, ...callerInput(caller) })));
    }
    return projects.filter(
      (project) => isReadable(project, caller) && (group_id === undefined || project.groupIds.includes(group_id)),
    );
  }

  @Handles(markTodoDone)
  async markDone({ caller }: ContextOf<typeof markTodoDone>, { id }: ParsedOf<typeof markTodoDone>): Promise<Todo> {
    const [shown] = await this.views.view([await this.todos.finish(caller.id, id)], caller);
    if (!shown) throw todoErrors.notFound();
    return shown;
  }

  @Handles(markAllTodosDone)
  async markAllDone({ caller }: ContextOf<typeof markAllTodosDone>, _: ParsedOf<typeof markAllTodosDone>) {
    await this.todos.finishAll(caller.id);
  }

  @Handles(createIssueTodo)
  async markIssue(context: ContextOf<typeof createIssueTodo>, { id, issue_iid }: ParsedOf<typeof createIssueTodo>) {
    const issue = await this.client.call(getIssue, { id, issue_iid }, context);
    return this.mark({ targetType: 'Issue', targetId: issue.id }, context);
  }

  @Handles(createMergeRequestTodo)
  async markMergeRequest(
    context: ContextOf<typeof createMergeRequestTodo>,
    { id, merge_request_iid }: ParsedOf<typeof createMergeRequestTodo>,
  ) {
    const request = await this.client.call(getMergeRequest, { id, merge_request_iid }, context);
    return this.mark({ targetType: 'MergeRequest', targetId: request.id }, context);
  }

  /** A pending to-do on the target is enough. */
  private async mark(target: TargetKey, { caller, project }: { caller: Caller; project: ProjectRef }) {
    const [pending, done] = await Promise.all([
      this.todos.findPending(caller.id, target),
      this.todos.countOn(target, caller.id),
    ]);
    const made = pending ? null : await this.todos.add(this.marked(target, caller, project, done));
    const todo = present(made ?? pending ?? (await this.todos.findPending(caller.id, target)), 'the todo');
    const [shown] = await this.views.view([todo], caller);
    if (!shown) throw todoErrors.notFound();
    return made ? shown : new Reply(shown, { status: 304 });
  }

  /** @param done number of earlier to-dos: of two concurrent requests one creates it */
  private marked(target: TargetKey, caller: Caller, project: ProjectRef, done: number) {
    const createdAt = new Date();
    const who = { userId: caller.id, authorId: caller.id, projectId: project.id };
    const key = `marked ${target.targetType} ${target.targetId} ${caller.id} ${done}`;
    return { key, ...who, ...target, action: 'marked', createdAt } as const;
  }
}
