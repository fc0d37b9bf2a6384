import { BrowserUsers, OperationChecks, ResourceResolver } from '@moothall/access';
import {
  type Caller,
  errorTable,
  type GroupRef,
  getGroup,
  getProject,
  type InputOf,
  type Operation,
  type OperationContext,
  OperationError,
  type OutputOf,
  type ProjectRef,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import type { Viewer } from '@moothall/pages';
import { Injectable } from '@nestjs/common';
import type { Source } from '../highlight/highlight-in-thread';
import { type HighlightedLines, Highlighter } from '../highlight/highlighter';

/** One request of a browser, as the user who is signed in there. */
export interface Visit {
  caller: Caller | undefined;
  /** The caller as the layout shows them. */
  viewer: Viewer | undefined;
  /** Sets the cookie of a new browser. */
  headers: Record<string, string>;
  /** Id of the browser session; undefined if nobody is signed in. */
  session: string | undefined;
  /** Whether the user must change the password before anything else. */
  isPasswordDue: boolean;
  /** Whether the sent form was shown in this browser; false if none was sent. */
  isOwnForm: boolean;
  /**
   * Calls an operation with the checks of its route.
   * @param longestText characters of each text in the answer; all of them by default
   * @throws as the route
   */
  ask<T extends Operation>(operation: T, input: InputOf<T>, longestText?: number): Promise<OutputOf<T>>;
  /** The same with texts of a form, read like those of a request. */
  submit<T extends Operation>(operation: T, fields: Record<string, unknown>): Promise<OutputOf<T>>;
  /** The same with what the user changed; without changes nothing is called. @param asked which record */
  submitChanges(operation: Operation, asked: Record<string, unknown>, changes: Record<string, unknown>): Promise<void>;
  /** The same as `ask`; undefined for what does not exist or may not be seen. */
  askIfSeen<T extends Operation>(
    operation: T,
    input: InputOf<T>,
    longestText?: number,
  ): Promise<OutputOf<T> | undefined>;
  /** Whether the visitor may call the operation in a project or a group. Nobody changes an archived project. */
  may(operation: Operation, of: { id: number }): Promise<boolean>;
  /** The same for settings, which can be changed in an archived project as well. */
  mayManage(operation: Operation, of: { id: number }): Promise<boolean>;
  /** @param id or full path, also an earlier one @returns undefined unless the visitor may see it */
  findProject(id: string): Promise<ProjectRef | undefined>;
  /** The same of a group. */
  findGroup(id: string): Promise<GroupRef | undefined>;
  /** What is cached of it, after a change by the visitor: the next page shows the change before events report it. */
  forgetProject(project: ProjectRef): void;
  /** The same of a group. */
  forgetGroup(group: GroupRef): void;
  highlight(source: Source): Promise<HighlightedLines>;
}

/** Finds out who requests a page, and calls operations for them. */
@Injectable()
export class Visits {
  constructor(
    private readonly operations: OperationClient,
    private readonly browsers: BrowserUsers,
    private readonly checks: OperationChecks,
    private readonly resources: ResourceResolver,
    private readonly highlighter: Highlighter,
  ) {}

  /** @param context with the cookie of the browser @param csrf of the form that it sends */
  async begin({ requestId, client }: OperationContext, csrf?: string): Promise<Visit> {
    const browser = await this.browsers.identify({ requestId, client }, csrf);
    const caller = browser.caller ?? undefined;
    const asCaller = { requestId, caller, client: client && { ip: client.ip, userAgent: client.userAgent } };
    const ask: Visit['ask'] = (operation, input, longestText) =>
      this.ask(operation, input, { ...asCaller, longestText });
    const targetFor = (operation: Operation, id: string) =>
      this.checks.checkCaller(operation, caller, id).catch(unlessUnseen);
    return {
      caller,
      viewer: caller && { username: caller.username, isAdmin: caller.isAdmin, csrf: browser.csrf },
      headers: browser.headers,
      session: browser.session ?? undefined,
      isPasswordDue: browser.is_password_due,
      isOwnForm: browser.is_own_form,
      ask,
      submit: (operation, fields) => this.ask(operation, fields, asCaller),
      submitChanges: async (operation, asked, changes) => {
        if (Object.keys(changes).length > 0) await this.ask(operation, { ...asked, ...changes }, asCaller);
      },
      askIfSeen: (...asked) => ask(...asked).catch(unlessUnseen),
      may: async (operation, of) => {
        const target = await targetFor(operation, String(of.id));
        return target !== undefined && (operation.isRead || !target.project?.isArchived);
      },
      mayManage: async (operation, of) => (await targetFor(operation, String(of.id))) !== undefined,
      findProject: async (id) => (await targetFor(getProject, id))?.project,
      findGroup: async (id) => (await targetFor(getGroup, id))?.group,
      forgetProject: ({ id }) => this.resources.forgetProject(id),
      forgetGroup: ({ id }) => this.resources.forgetGroup(id),
      highlight: (source) => this.highlighter.highlight(source, String(caller?.id ?? client?.ip)),
    };
  }

  private async ask<T extends Operation>(
    operation: T,
    given: Record<string, unknown>,
    context: OperationContext,
  ): Promise<OutputOf<T>> {
    const { input, target } = await this.checks.admit(operation, given, context.caller, context.client?.ip ?? '');
    return this.operations.callValidated(operation, input, { ...context, ...target });
  }
}

const unseen = [401, 403, 404];

/** Whether an error means: it does not exist, or the caller may not see it. */
export const isUnseen = (error: unknown): boolean =>
  error instanceof OperationError && unseen.includes(errorTable.get(error.code)?.status ?? 0);

export function unlessUnseen(error: unknown): undefined {
  if (!isUnseen(error)) throw error;
}
