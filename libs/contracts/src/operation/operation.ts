import { z } from 'zod';
import type { AccessRule, GroupRule, ProjectRule } from './access';
import type { AnyScope, Caller, GroupRef, OperationContext, ProjectRef } from './context';
import type { Route } from './http';
import { BytesOutput, NoOutput, type Page, PageOutput, paging, RawOutput } from './page';
import type { PresignedUrl, Reply } from './reply';

export type Input = z.ZodType<Record<string, unknown>>;
export type Output = z.ZodType | PageOutput<z.ZodType> | BytesOutput | NoOutput | RawOutput;

/** A limit on how often one caller may ask for one thing. See docs/api/requests.md#10. */
export interface RateLimit {
  requests: number;
  seconds: number;
  /** The setting that switches it on or changes `requests`, of which 0 is no limit. */
  setting: string;
  /** What is counted, for the table of settings. */
  about: string;
  /** Text of the 429. */
  message?: string;
}

/**
 * What a secondary does with an operation: `code` and `wiki` are answered from its copy of that part of the project, as far as it
 * has one; `here` from the records of the site itself. Of all others, reads are asked of the primary, and changes refused.
 * See docs/api/geo-replication.md#5.
 */
export type OnSecondary = 'code' | 'wiki' | 'here';

export type LimitSetting = 'notes_create_limit' | 'search_rate_limit';

interface OperationDefinition<I extends Input, O extends Output, A extends AccessRule> {
  /** `service.resource.verb`; the service is the first word and the whole is the NATS subject. */
  name: string;
  /** Absent for operations between services; several where clients of different ages use different routes. */
  http?: Route | Route[] | undefined;
  /**
   * The field of GraphQL that asks it, where the interface has nothing else for it: it has no route, and is open to callers under
   * its access rule all the same. See docs/api/graphql.md#5.
   */
  mutation?: string | undefined;
  access: A;
  input: I;
  output: O;
  /** Scopes that do besides `api` (and `read_api` for GET). */
  scopes?: AnyScope[] | undefined;
  /** They alone do: a token that reaches everything else was not given for this. */
  needsItsScopes?: boolean | undefined;
  /**
   * Asked before a file of the body is read, with what came before it: for operations that take files of those who are
   * no users, whom the gateway knows nothing of.
   */
  admittedBy?: Operation | undefined;
  /** A running job may ask too, with its token and in its own project: it acts for the user of its pipeline. */
  takesJobToken?: boolean | undefined;
  /** Needs EDITION=enterprise; other instances answer as if it were not there. */
  tier?: 'enterprise' | undefined;
  /** What other instances answer those who are signed in, where not that. */
  withoutTier?: 'forbidden' | undefined;
  limit?: RateLimit | undefined;
  /** The application setting that says how many of all such requests a user may make in a minute; 0 is no limit. */
  limitedBy?: LimitSetting | undefined;
  /** The subject names the storage of the project, so that the process with that disk answers. */
  routedByStorage?: boolean | undefined;
  /** Costs enough that it ends when its client goes; its handler asks `AbandonedRequests`. */
  endsWithClient?: boolean | undefined;
  /** How long the gateway waits, for operations that may take longer than the common limit. */
  timeoutSeconds?: number | undefined;
  /**
   * An endpoint that OAuth clients talk to: parameters come in the body and nowhere else, since addresses end up in
   * logs, and refusals have the form of RFC 6749 5.2.
   */
  protocol?: 'oauth' | undefined;
  /** Unless given, reads are asked of the primary there, and changes refused. */
  onSecondary?: OnSecondary | undefined;
  /** Changes nothing, so that it may be asked again when an answer was lost; what only GETs lead to is known for it. */
  isRead?: boolean | undefined;
  /** One line for the API reference; everything with a route has one. */
  summary?: string | undefined;
  /** What the summary omits: further access, consequences, special cases. Markdown. */
  description?: string | undefined;
  /**
   * Codes of the errors that are this operation's own, and after a blank when, where the table of errors does not say it:
   * `common.forbidden unless author or maintainer`. What follows from access, limits and parameters is known without.
   */
  refusals?: string[] | undefined;
}

export interface Operation<I extends Input = Input, O extends Output = Output, A extends AccessRule = AccessRule>
  extends Omit<OperationDefinition<I, O, A>, 'http' | 'isRead'> {
  routes: Route[];
  isRead: boolean;
  /** Name of the service that answers it. */
  service: string;
}

/**
 * Declares one operation of the interface. Gateway, service, API reference and tests read the same value.
 * @see docs/architecture.md
 */
export function operation<I extends Input, O extends Output, A extends AccessRule>(
  definition: OperationDefinition<I, O, A>,
): Operation<I, O, A> {
  const { http, isRead, ...rest } = definition;
  const routes = http === undefined ? [] : Array.isArray(http) ? http : [http];
  const [service = ''] = rest.name.split('.', 1);
  return {
    ...rest,
    routes,
    service,
    isRead: isRead ?? (routes.length > 0 && routes.every(({ method }) => method === 'GET')),
    input: withPaging(rest.input, rest.output),
  };
}

/** Lists take `page` and `per_page` without every contract saying so. */
function withPaging<I extends Input>(input: I, output: Output): I {
  if (!(output instanceof PageOutput) || !(input instanceof z.ZodObject) || 'page' in input.shape) return input;
  return input.safeExtend(paging) as unknown as I;
}

type Paged<O> = O extends PageOutput<z.ZodType> ? { page: number; per_page: number } : unknown;

/** What a caller of the operation gives: defaults may be left out. */
export type InputOf<T> = T extends Operation<infer I, infer O, AccessRule> ? z.input<I> & Partial<Paged<O>> : never;

/** What a handler gets: validated, defaults filled in. */
export type ParsedOf<T> = T extends Operation<infer I, infer O, AccessRule> ? z.output<I> & Paged<O> : never;

/** What a handler returns and a caller gets. */
export type OutputOf<T> =
  T extends Operation<Input, infer O, AccessRule>
    ? O extends PageOutput<infer Item>
      ? Page<z.input<Item>>
      : O extends BytesOutput
        ? PresignedUrl
        : O extends RawOutput
          ? string
          : O extends NoOutput
            ? // biome-ignore lint/suspicious/noConfusingVoidType: handlers without a body are `async (): Promise<void>`
              void
            : O extends z.ZodType
              ? z.input<O>
              : never
    : never;

export type ResultOf<T> = OutputOf<T> | Reply<OutputOf<T>>;

type RuleOf<T> = T extends Operation<Input, Output, infer A> ? A : never;
type CallerOf<A> = A extends { hasCaller: true }
  ? { caller: Caller }
  : A extends { on: 'anyone' | 'internal' } | { anonymous: true }
    ? { caller?: Caller | undefined }
    : { caller: Caller };
type TargetOf<A> = A extends ProjectRule | { hasProject: true }
  ? { project: ProjectRef }
  : A extends GroupRule
    ? { group: GroupRef }
    : unknown;

/** What a handler knows besides its input: present is what the access rule promises. */
export type ContextOf<T> = OperationContext & CallerOf<RuleOf<T>> & TargetOf<RuleOf<T>>;

/** The NATS subject of an operation; `repository.<storage>.…` where the storage decides who answers. */
export function subjectOf(operation: Operation, context: OperationContext): string {
  if (!operation.routedByStorage) return operation.name;
  const storage = context.project?.storage;
  if (!storage) throw new Error(`${operation.name} needs the storage of a project, but no project was resolved`);
  return operation.name.replace('.', `.${storage}.`);
}

/** Whether an operation reads cookies and credentials itself: pages, and the endpoints where OAuth clients sign in. */
export const readsCredentials = ({ routes, output }: Operation): boolean =>
  output instanceof RawOutput && routes.length > 0 && routes.every((route) => route.isAtRoot);
