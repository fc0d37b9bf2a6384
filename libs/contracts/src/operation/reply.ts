/** A success that sets its own status or headers, such as 202 while a job runs. */
export class Reply<T> {
  constructor(
    readonly body: T,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/**
 * Where the gateway fetches or sends bytes: a signed URL with a short lifetime on the service's internal data port.
 * Every holder can use it, so it is only created after the access check.
 */
export interface PresignedUrl {
  url: string;
}

/**
 * A file of a client; the gateway stores it until the operation has answered. Its facts, where it is read and its
 * name, are in a token that the gateway signed: services open it with `UploadedFiles` of libs/data-port, and anything
 * else in its place is refused.
 */
export interface UploadedFile {
  ticket: string;
}
