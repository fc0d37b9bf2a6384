export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Selects one of several operations at a path, by the value of a query parameter. */
export interface Choice {
  parameter: string;
  value: string;
}

/** The place of an operation in the REST interface. Paths are relative to `/api/v4`. */
export interface Route {
  method: Method;
  /** `:name` is one percent-encoded segment, as in `/projects/:id/repository/files/:file_path`. */
  path: string;
  /** Status of a success; by default 200 for GET, PUT and PATCH, 201 for POST, 204 for DELETE. */
  success: number;
  /** For old clients; the API reference marks it as deprecated. */
  isDeprecated: boolean;
  /** At the root of the server instead of below `/api/v4`, as `/oauth/token`. */
  isAtRoot: boolean;
  /** The last parameter is the rest of the path, slashes and all, as the path of a file in an archive is. */
  endsInPath: boolean;
  /** Selects this route by a query parameter. Without such a value the first route of the path is used. */
  when?: Choice | undefined;
}

interface RouteOptions {
  success?: number;
  deprecated?: boolean;
  atRoot?: boolean;
  endsInPath?: boolean;
  when?: Choice;
}

const route =
  (method: Method, success: number) =>
  (path: string, options: RouteOptions = {}): Route => ({
    method,
    path,
    success: options.success ?? success,
    isDeprecated: options.deprecated ?? false,
    isAtRoot: options.atRoot ?? false,
    endsInPath: options.endsInPath ?? false,
    ...(options.when && { when: options.when }),
  });

export const get = route('GET', 200);
export const post = route('POST', 201);
export const put = route('PUT', 200);
export const patch = route('PATCH', 200);
/** Named `del` because `delete` is reserved. */
export const del = route('DELETE', 204);

/** A route as text, with its selecting parameter. */
export const writtenRoute = ({ path, isAtRoot, when }: Route): string =>
  `${isAtRoot ? '' : '/api/v4'}${path}${when ? `?${when.parameter}=${when.value}` : ''}`;
