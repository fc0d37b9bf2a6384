import type { FullDelivery } from './delivery.schema';

/** A request to a receiver outside. It goes through the outbound guard; redirects are not followed. */
export interface HttpTask {
  method: 'POST' | 'PUT' | 'GET';
  /** A name and password in it become basic authentication. */
  url: string;
  /** The URL without secrets, for people. */
  shownUrl: string;
  headers: Readonly<Record<string, string>>;
  /** Headers of {@link headers} whose values are never shown. */
  secretHeaders: readonly string[];
  body: string;
  /** Whether the certificate of the receiver is checked. */
  verifiesTls: boolean;
  /** Which outbound rules check the address. */
  policy: 'services' | 'system-hooks';
}

/** Any other kind of delivery, such as a mail. If it throws, the delivery failed and is retried. */
export interface CustomTask {
  /** The receiving server, such as `smtp`, for the circuit breaker. */
  target: string;
  shownUrl: string;
  run(signal: AbortSignal): Promise<void>;
}

export type DeliveryTask = HttpTask | CustomTask;

/** Who gets a mail if deliveries are switched off. */
export interface Maintainers {
  /** What was switched off, as `the webhook https://… of group/project`. */
  what: string;
  emails: string[];
}

/**
 * Builds the requests of one kind of subscriber (hooks, integrations). The engine
 * sends them in order, retries failures and stores the answers. Register it with {@link DeliveryHandlers} when
 * the module starts.
 */
export interface DeliveryHandler {
  /** The prefix of its queue names, as `hook` of `hook-5`. */
  readonly kind: string;
  /**
   * Called before each attempt, so that changes of the subscriber apply to deliveries that wait.
   * @param id of the subscriber, from the name of the queue
   * @returns null if the subscriber was deleted: its deliveries are dropped
   */
  taskFor(id: number, delivery: FullDelivery): Promise<DeliveryTask | null>;
  maintainersOf(id: number): Promise<Maintainers | null>;
}
