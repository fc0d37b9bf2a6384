/** A success that sets its own status or headers, such as 202 while a job runs. */
export class Reply<T> {
  constructor(
    readonly body: T,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/**
 * Where the gateway fetches or sends bytes: an address on the service's internal data port, signed and short-lived.
 * Anyone who holds it may use it once it is minted, so it is only made after access was checked.
 */
export interface PresignedUrl {
  url: string;
}

/**
 * A file that a client sent; the gateway keeps it until the operation has answered. All that is said of it, where it is
 * read and how it was called, stands in a ticket that the gateway signed: services open it with `UploadedFiles` of
 * libs/data-port, and anything else in its place is refused.
 */
export interface UploadedFile {
  ticket: string;
}
