import { z } from 'zod';
import type { AccessRule, GroupRule, ProjectRule } from './access';
import type { AnyScope, Caller, GroupRef, OperationContext, ProjectRef } from './context';
import type { Route } from './http';
import { BytesOutput, NoOutput, type Page, PageOutput, paging, RawOutput } from './page';
import type { PresignedUrl, Reply } from './reply';

export type Input = z.ZodType<Record<string, unknown>>;
export type Output = z.ZodType | PageOutput<z.ZodType> | BytesOutput | NoOutput | RawOutput;

/** A limit of a caller's requests. See docs/api/requests.md#10. */
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
 * How a secondary handles an operation: `code` and `wiki` are answered from its copy of that part of the project, if
 * it has one; `here` from the records of the site itself. Of all others, reads are forwarded to the primary, and
 * changes refused. See docs/api/geo-replication.md#5.
 */
export type OnSecondary = 'code' | 'wiki' | 'here';

export type LimitSetting = 'notes_create_limit' | 'search_rate_limit';

interface OperationDefinition<I extends Input, O extends Output, A extends AccessRule> {
  /** `service.resource.verb`; the service is the first word and the whole is the NATS subject. */
  name: string;
  /** Absent for operations between services; several if old and new clients use different routes. */
  http?: Route | Route[] | undefined;
  /**
   * The GraphQL mutation that calls it, if the REST interface has no route: it is open to callers under its access
   * rule. See docs/api/graphql.md#5.
   */
  mutation?: string | undefined;
  /** Pages for browsers call it, under its access rule; the REST interface has no route for it. See docs/pages.md. */
  onPages?: true | undefined;
  access: A;
  input: I;
  output: O;
  /** Scopes that do besides `api` (and `read_api` for GET). */
  scopes?: AnyScope[] | undefined;
  /** Only these scopes are sufficient, and no wider one. */
  needsItsScopes?: boolean | undefined;
  /**
   * Called before a file of the body is read, with the fields before it: for uploads of callers who are no users, and
   * whom the gateway does not know.
   */
  admittedBy?: Operation | undefined;
  /** A running job may also call it, with its token and in its own project: it acts as the user of its pipeline. */
  takesJobToken?: boolean | undefined;
  /** Needs EDITION=enterprise; other instances answer as if it did not exist. */
  tier?: 'enterprise' | undefined;
  /** The answer of other instances to signed-in callers, if it differs. */
  withoutTier?: 'forbidden' | undefined;
  limit?: RateLimit | undefined;
  /** The application setting with the limit of such requests of a user per minute; 0 is no limit. */
  limitedBy?: LimitSetting | undefined;
  /** The subject contains the storage of the project, so that the process with that disk answers. */
  routedByStorage?: boolean | undefined;
  /** Expensive enough to end when its client disconnects; its handler uses `AbandonedRequests`. */
  endsWithClient?: boolean | undefined;
  /** The gateway's timeout, for operations that may take longer than the default. */
  timeoutSeconds?: number | undefined;
  /**
   * An endpoint for OAuth clients: parameters are only accepted in the body, since URLs are logged, and refusals have
   * the form of RFC 6749 5.2.
   */
  protocol?: 'oauth' | undefined;
  /** By default reads are forwarded to the primary, and changes refused. */
  onSecondary?: OnSecondary | undefined;
  /**
   * Changes nothing, so it may be repeated if an answer was lost; true by default for operations with only GET
   * routes.
   */
  isRead?: boolean | undefined;
  /** One line for the API reference; required for everything with a route. */
  summary?: string | undefined;
  /** What the summary omits: further access, consequences, special cases. Markdown. */
  description?: string | undefined;
  /**
   * Codes of the operation's own errors, optionally with a condition that the table of errors does not contain:
   * `common.forbidden unless author or maintainer`. Errors of access, limits and parameters are added automatically.
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

/** Lists have `page` and `per_page` without a declaration in every contract. */
function withPaging<I extends Input>(input: I, output: Output): I {
  if (!(output instanceof PageOutput) || !(input instanceof z.ZodObject) || 'page' in input.shape) return input;
  return input.safeExtend(paging) as unknown as I;
}

type Paged<O> = O extends PageOutput<z.ZodType> ? { page: number; per_page: number } : unknown;

/** Zod's type of an object without fields allows no field at all, not even `page`. */
type FieldsOf<T> = T extends Record<string, never> ? unknown : T;

/** The input of a caller: defaults may be omitted. */
export type InputOf<T> =
  T extends Operation<infer I, infer O, AccessRule> ? FieldsOf<z.input<I>> & Partial<Paged<O>> : never;

/** The input of a handler: validated, with defaults. */
export type ParsedOf<T> = T extends Operation<infer I, infer O, AccessRule> ? z.output<I> & Paged<O> : never;

/** The result of a handler and of a call. */
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

/** The context of a handler: it contains what the access rule guarantees. */
export type ContextOf<T> = OperationContext & CallerOf<RuleOf<T>> & TargetOf<RuleOf<T>>;

/** The NATS subject of an operation; `repository.<storage>.…` if the storage decides which process answers. */
export function subjectOf(operation: Operation, context: OperationContext): string {
  if (!operation.routedByStorage) return operation.name;
  const storage = context.project?.storage;
  if (!storage) throw new Error(`${operation.name} needs the storage of a project, but no project was resolved`);
  return operation.name.replace('.', `.${storage}.`);
}

/** Whether an operation reads cookies and credentials itself: pages, and endpoints of OAuth clients. */
export const readsCredentials = ({ routes, output }: Operation): boolean =>
  output instanceof RawOutput && routes.length > 0 && routes.every((route) => route.isAtRoot);
